import { ANY_DAY, parseBareStatus } from './status.ts'
import { fold } from './values.ts'
import { regex, VISITS_LEFT } from './patterns.ts'

const OF_ROLES = regex()`
  \b(type|role|category|classification|kind|position|designation)\b|^(person|record|contact
  |client|user)$`
const OF_MEMBERSHIPS = /\b(memberships?|plan|programs?|package|type|category)\b/
const OF_ANOTHER_MATTER = regex()`
  \b(payment|pay|billing|phone|e ?mail|blood|card|address|event|uniform|gi|belt|rank|account
  |date|start|end|price|fee)\b`

const NOT_A_STUDENT = regex()`
  \b(parents?|guardians?|mother|father|mom|dad|grand(parent|mother|father)|spouse|sibling
  |family contact|emergency contact|contact|staff|employees?|instructors?|coach|teacher|sensei
  |assistant|owner|admin|administrator|manager|front desk|vendor|volunteer|leads?|prospects?
  |inquir(y|er)|enquiry|visitor|payer|billing|bill payer|account holder|non ?members?)\b`
const STUDENT = regex()`
  \b(students?|members?|participants?|athletes?|child|children|kids?|teens?|juniors?|youth
  |trainees?|competitors?|trains|trial|active)\b`

export function isOtherRole(text: string): boolean {
  const words = fold(text)
  return NOT_A_STUDENT.test(words) && !STUDENT.test(words.replaceAll(/\bnon ?members?\b/g, ' '))
}

export const isRoleColumn = (heading: string, texts: readonly string[]): boolean =>
  OF_ROLES.test(heading) && !OF_ANOTHER_MATTER.test(heading) && texts.some(isOtherRole)

/** A column of memberships that also says who has left: Monthly, Yearly, Inactive. */
export const hasBareStatuses = (heading: string, texts: readonly string[]): boolean =>
  OF_MEMBERSHIPS.test(heading) &&
  !OF_ANOTHER_MATTER.test(heading) &&
  texts
    .map((text) => parseBareStatus(text.replace(VISITS_LEFT, ''), ANY_DAY) ?? '')
    .some((status) => ['left', 'vacation'].includes(status))

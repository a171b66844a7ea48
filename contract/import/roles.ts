import { ANY_DAY, parseBareStatus } from './status.ts'
import { normalizeText } from './values.ts'
import { regex, VISITS_LEFT } from './patterns.ts'

const ROLE_HEADING = regex()`
  \b(type|role|category|classification|kind|position|designation)\b|^(person|record|contact
  |client|user)$`
const MEMBERSHIP_HEADING = /\b(memberships?|plan|programs?|package|type|category)\b/
const UNRELATED_HEADING = regex()`
  \b(payment|pay|billing|phone|e ?mail|blood|card|address|event|uniform|gi|belt|rank|account
  |date|start|end|price|fee)\b`

const OTHER_ROLE = regex()`
  \b(parents?|guardians?|mother|father|mom|dad|grand(parent|mother|father)|spouse|sibling
  |family contact|emergency contact|contact|staff|employees?|instructors?|coach|teacher|sensei
  |assistant|owner|admin|administrator|manager|front desk|vendor|volunteer|leads?|prospects?
  |inquir(y|er)|enquiry|visitor|payer|billing|bill payer|account holder|non ?members?)\b`
const STUDENT_ROLE = regex()`
  \b(students?|members?|participants?|athletes?|child|children|kids?|teens?|juniors?|youth
  |trainees?|competitors?|trains|trial|active)\b`

export function isOtherRole(text: string): boolean {
  const words = normalizeText(text)
  return OTHER_ROLE.test(words) && !STUDENT_ROLE.test(words.replaceAll(/\bnon ?members?\b/g, ' '))
}

export const isRoleColumn = (heading: string, texts: readonly string[]): boolean =>
  ROLE_HEADING.test(heading) && !UNRELATED_HEADING.test(heading) && texts.some(isOtherRole)

/** A column of memberships that also says who has left: Monthly, Yearly, Inactive. */
export const hasBareStatuses = (heading: string, texts: readonly string[]): boolean =>
  MEMBERSHIP_HEADING.test(heading) &&
  !UNRELATED_HEADING.test(heading) &&
  texts
    .map((text) => parseBareStatus(text.replace(VISITS_LEFT, ''), ANY_DAY) ?? '')
    .some((status) => ['left', 'vacation'].includes(status))

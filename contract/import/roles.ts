import { parseBareStatus } from './status.ts'
import { fold } from './values.ts'

/** Columns of what somebody is to the school: a student, a parent, staff, or somebody's lead. */

const OF_ROLES =
  /\b(type|role|category|classification|kind|position|designation)\b|^(person|record|contact|client|user)$/
const OF_MEMBERSHIPS = /\b(memberships?|plan|programs?|package|type|category)\b/
/** What else has a type or a category. */
const OF_ANOTHER_MATTER =
  /\b(payment|pay|billing|phone|e ?mail|blood|card|address|event|uniform|gi|belt|rank|account|date|start|end|price|fee)\b/

const NO_STUDENT =
  /\b(parents?|guardians?|mother|father|mom|dad|grand(parent|mother|father)|spouse|sibling|family contact|emergency contact|contact|staff|employees?|instructors?|coach|teacher|sensei|assistant|owner|admin|administrator|manager|front desk|vendor|volunteer|leads?|prospects?|inquir(y|er)|enquiry|visitor|payer|billing|bill payer|account holder|non ?members?)\b/
const STUDENT =
  /\b(students?|members?|participants?|athletes?|child|children|kids?|teens?|juniors?|youth|trainees?|competitors?|trains|trial|active)\b/

/** Whether a text says that somebody is no student: "Parent", "Non-member parent", "Employee". */
export function isOtherRole(text: string): boolean {
  const words = fold(text)
  return NO_STUDENT.test(words) && !STUDENT.test(words.replaceAll(/\bnon ?members?\b/g, ' '))
}

/** Whether a column of types or roles says of somebody that they are no student. */
export const isRoleColumn = (heading: string, texts: readonly string[]): boolean =>
  OF_ROLES.test(heading) && !OF_ANOTHER_MATTER.test(heading) && texts.some(isOtherRole)

/** Whether a column of memberships says who has none any more: Monthly, Yearly, Inactive. */
export const hasBareStatuses = (heading: string, texts: readonly string[]): boolean =>
  OF_MEMBERSHIPS.test(heading) &&
  !OF_ANOTHER_MATTER.test(heading) &&
  texts.some((text) => ['left', 'vacation'].includes(parseBareStatus(text, '2000-01-01') ?? ''))

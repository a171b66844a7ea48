import { mostMatch } from './column-looks.ts'
import { parseAmount } from './amounts.ts'
import { normalizeHeading } from './heading-fields.ts'
import { regex } from './patterns.ts'
import { ANY_DAY, parseStatus } from './status.ts'
import { cellText, fold, isNothing, parseFlag } from './values.ts'

const MEMBERSHIP_HEADING = regex()`
  ^(current )?(memberships?|member|plans?|packages?|programs?|subscription|tuition|payment|pricing)
  ( (name|plan|package|type|level|option|tier))?$`
/** Alone, these are amounts or how somebody pays. */
const NO_MEMBERSHIP = /^(current )?(member|tuition|payment|pricing)( (name|type|level|option))?$/

const isPlanName = (text: string): boolean =>
  /\p{L}/u.test(text) &&
  parseFlag(text) === null &&
  parseStatus(text, ANY_DAY) === null &&
  Number.isNaN(parseAmount(text))

/** True for a column of plans, such as "Gold" below "Membership", but not of statuses. */
export function isMembershipColumn(heading: string, values: readonly string[]): boolean {
  const words = normalizeHeading(heading)
  if (!MEMBERSHIP_HEADING.test(words) || NO_MEMBERSHIP.test(words)) return false
  const texts = values.map(cellText).filter((text) => !isNothing(text))
  return texts.length > 0 && mostMatch(texts, isPlanName)
}

/** The same for "Gold Plan" and "gold  plan". */
export const membershipKey = (name: string): string => fold(name)

import { mostTextsMatch } from './guess-by-values.ts'
import { normalizeHeading } from './heading-fields.ts'
import { VISITS_LEFT } from './patterns.ts'
import { ANY_DAY, parseStatus } from './status.ts'
import { cellText, normalizeText, isBlankValue, parseFlag } from './values.ts'

const HEADING =
  /^(current )?(membership|plan|package|subscription)s?( (name|plan|package|type|level))?$/

const isPlanName = (text: string): boolean =>
  /\p{L}/u.test(text) &&
  parseFlag(text) === null &&
  (VISITS_LEFT.test(text) || parseStatus(text, ANY_DAY) === null)

/** True for a column of plans, such as "Gold" below "Membership", but not of statuses. */
export function isMembershipColumn(heading: string, values: readonly string[]): boolean {
  if (!HEADING.test(normalizeHeading(heading))) return false
  const texts = values.map(cellText).filter((text) => !isBlankValue(text))
  return texts.length > 0 && mostTextsMatch(texts, isPlanName)
}

/** Returns the same key for "Gold Plan" and "gold  plan". */
export const membershipKey = (name: string): string => normalizeText(name)

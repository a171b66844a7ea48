import { regex } from './patterns.ts'
import { namesColor } from './values.ts'

export const MAX_STRIPES = 10
/** Most schools give four stripes before the next belt. */
const USUAL_STRIPES = 4

/** How many stripes each belt can have if the import adds them. All belts get the same number,
 *  because a belt with one stripe in the sheet may just not have had students with more yet. */
export const stripesPerBelt = (belts: readonly { stripes: number }[]): number =>
  Math.max(USUAL_STRIPES, ...belts.map(({ stripes }) => stripes))

/** "White 2" means two stripes, but a higher number after a belt means something else. */
const MAX_BARE_COUNT = 6

/** Each word's index is its number. */
const NUMBER_WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six']
const NAMED_COUNT = regex('i')`
  (?:\b(?:with|w\/?|and|plus)\s*|[-–—+&,(\[/]\s*)?\b(?:(?<count>\d{1,2}|no|one|two|three|four
  |five|six)(?:st|nd|rd|th)?[\s-]*(?:stripes?|strips?|str|tips?|tags?|tapes?|bars?)|(?:stripes?
  |tips?|tags?|tapes?|bars?)\s*[:=#]?\s*(?<number>\d{1,2}))\b[)\]]?`

/** "White III", "white/1" and "Purple | |". Black belts have degrees instead of stripes. */
const BARE_COUNT = regex('i')`
  (?:(?:\s*[-–—+/,]|\s*[(\[]|\s)\s*(?:(?<roman>iii|ii|iv|i|vi|v)|(?<number>\d))|(?<!\d)(?<=[^\d\s])
  (?<attached>\d)|(?:\s*[-–—]\s*|\s*)(?<marks>(?:\s*[|¦│★●•*])+))\s*[)\]]?$`
const ROMAN_NUMBERS = ['', 'i', 'ii', 'iii', 'iv', 'v', 'vi']

export type BeltWithStripes = { belt: string; stripes: number | null }

/** Splits "White w/ 1 stripe" into the belt and its stripes. */
export function splitStripes(text: string): BeltWithStripes {
  return splitNamedCount(text) ?? splitBareCount(text) ?? { belt: text, stripes: null }
}

function splitNamedCount(text: string): BeltWithStripes | null {
  const match = NAMED_COUNT.exec(text)
  const countText = match?.groups?.['count'] ?? match?.groups?.['number']
  if (!match || countText === undefined) return null
  const wordIndex = NUMBER_WORDS.indexOf(countText.toLowerCase())
  const stripes = wordIndex >= 0 ? wordIndex : Number(countText)
  const belt = trimBelt(text.replace(match[0], ' '))
  return belt === '' || stripes > MAX_STRIPES ? null : { belt, stripes }
}

function splitBareCount(text: string): BeltWithStripes | null {
  const match = BARE_COUNT.exec(text)
  if (!match) return null
  const stripes = readBareCount(match.groups ?? {})
  const belt = trimBelt(text.slice(0, match.index))
  // Without a color, "Level 2" is the name of a rank.
  if (stripes > MAX_BARE_COUNT || !namesColor(belt) || /\bblack\b/i.test(belt)) return null
  return { belt, stripes }
}

function readBareCount({ roman, number, attached, marks }: Record<string, string | undefined>) {
  if (roman !== undefined) return ROMAN_NUMBERS.indexOf(roman.toLowerCase())
  if (marks !== undefined) return marks.replaceAll(/\s/g, '').length
  return Number(number ?? attached)
}

const trimBelt = (text: string) =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/^[\s,;:/+&–—-]+|[\s,;:/+&–—-]+$/g, '')

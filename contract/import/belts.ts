import type { Belt } from '../lib/ranks.ts'
import { splitStripes } from './history.ts'
import type { RowReader } from './row-reader.ts'
import { fold, isNoBelt, parseBelt } from './values.ts'

/** With a `rank_id`, a rank of the school's own ladders. Otherwise one of the seven belts. */
export type BeltMeaning = { belt_level: Belt | null; rank_id: string | null }

export const NO_BELT: BeltMeaning = { belt_level: null, rank_id: null }

/** What a belt in the sheet is, or null if nobody knows. The age can decide the ladder. */
export type BeltLookup = (belt: string, birthday: string | null) => BeltMeaning | null

/** "White", "white belt" and "WHITE-BELT" are the same belt, so we ask about it once. */
export const beltKey = (belt: string): string => fold(belt).replace(/ belt$/, '')

const FILLER_WORDS = ['belt', 'and', 'the']

/** "Grey/White belt" and "Grey and white" name the same rank. */
export const rankNameKey = (name: string): string =>
  fold(name)
    .split(' ')
    .filter((word) => !FILLER_WORDS.includes(word))
    .join(' ')

export function findBelt(belt: string): BeltMeaning | null {
  if (isNoBelt(belt)) return NO_BELT
  const belt_level = parseBelt(belt)
  return belt_level === null ? null : { belt_level, rank_id: null }
}

const BELT_PROBLEM = 'Please enter white, yellow, orange, green, blue, brown or black'

export type BeltCell = BeltMeaning & {
  /** The belt as written, without stripes. Null for an empty cell. */
  belt: string | null
  /** The whole cell. */
  beltText: string | null
}

export function readBelt(
  { text, problems }: RowReader,
  birthday: string | null,
  lookUp: BeltLookup = findBelt,
): BeltCell {
  const cellText = text('belt_level')
  if (cellText === '') return { ...NO_BELT, belt: null, beltText: null }
  const wholeMeaning = lookUp(cellText, birthday)
  const { belt: beltWithoutStripes, stripes } = splitStripes(cellText)
  // The whole text may be the name of a rank: "Black 2nd degree".
  if (wholeMeaning?.rank_id) return { ...wholeMeaning, belt: cellText, beltText: cellText }
  const meaning = lookUp(beltWithoutStripes, birthday) ?? wholeMeaning
  if (meaning === null) problems.push({ field: 'belt_level', message: BELT_PROBLEM })
  return {
    ...(meaning ?? NO_BELT),
    belt: stripes === null ? cellText : beltWithoutStripes,
    beltText: cellText,
  }
}

import type { Belt } from '../lib/ranks.ts'
import { gradeOf, isHighDegree } from './grades.ts'
import type { RowReader } from './row-reader.ts'
import { splitStripes } from './stripes.ts'
import { beltsNamed, fold, isNoBelt, parseBelt } from './values.ts'

/** With a `rank_id`, a rank of the school's own ladders. Otherwise one of the seven belts. */
export type BeltMeaning = { belt_level: Belt | null; rank_id: string | null }

export const NO_BELT: BeltMeaning = { belt_level: null, rank_id: null }

/** A rank that shows the degree of a black belt as stripes has `stripes`. */
export type FoundBelt = BeltMeaning & { stripes?: number }

/** What a belt in the sheet is, or null if nobody knows. The age can decide the ladder. */
export type BeltLookup = (belt: string, birthday: string | null) => FoundBelt | null

/** "White", "white belt" and "WHITE-BELT" are the same belt, so we ask about it once. */
export const beltKey = (belt: string): string => fold(belt).replace(/ belt$/, '')

const FILLER_WORDS = ['belt', 'and', 'the']

/** "Grey/White belt" and "Grey and white" name the same rank. */
export const rankNameKey = (name: string): string =>
  fold(name)
    .split(' ')
    .filter((word) => !FILLER_WORDS.includes(word))
    .join(' ')

/** One of the seven belts. Null for a "2nd Dan" or a "White with yellow stripe", which are not. */
export function findBelt(belt: string): BeltMeaning | null {
  if (isNoBelt(belt)) return NO_BELT
  if (isHighDegree(gradeOf(belt)) || beltsNamed(belt).length > 1) return null
  const belt_level = parseBelt(belt)
  return belt_level === null ? null : { belt_level, rank_id: null }
}

const BELT_PROBLEM = 'Please enter white, yellow, orange, green, blue, brown or black'

export type BeltCell = BeltMeaning & {
  /** The belt as written, without stripes. Null for an empty cell. */
  belt: string | null
  /** The whole cell. */
  beltText: string | null
  stripesInBelt: number | null
}

export function readBelt(
  { text, problems }: RowReader,
  birthday: string | null,
  lookUp: BeltLookup = findBelt,
): BeltCell {
  const beltText = text('belt_level')
  if (beltText === '') return { ...NO_BELT, belt: null, beltText: null, stripesInBelt: null }
  const { belt, stripes: stripesInBelt } = splitStripes(beltText)
  const wholeCell = lookUp(beltText, birthday)
  // The whole cell may be the name of a rank: "Black 2nd degree".
  if (wholeCell?.rank_id || stripesInBelt === null) {
    if (wholeCell === null) problems.push({ field: 'belt_level', message: BELT_PROBLEM })
    const { belt_level, rank_id, stripes }: FoundBelt = wholeCell ?? NO_BELT
    return { belt_level, rank_id, belt: beltText, beltText, stripesInBelt: stripes ?? null }
  }
  const meaning = lookUp(belt, birthday)
  if (meaning === null) problems.push({ field: 'belt_level', message: BELT_PROBLEM })
  return { ...(meaning ?? NO_BELT), belt, beltText, stripesInBelt }
}

import type { Belt } from '../lib/ranks.ts'
import { parseGrade, isHighDegree } from './grades.ts'
import type { RowReader } from './row-reader.ts'
import { splitStripes } from './stripes.ts'
import { findBeltColors, fold, isNoBelt, parseBelt } from './values.ts'

/** A rank of the school's own ladders if `rank_id` is set. Otherwise, one of the seven belts. */
export type BeltMeaning = { belt_level: Belt | null; rank_id: string | null }

export const NO_BELT: BeltMeaning = { belt_level: null, rank_id: null }

/** `stripes` is set for a rank that shows the degree of a black belt as stripes. */
export type MatchedBelt = BeltMeaning & { stripes?: number }

/** Finds what a belt in the sheet means, or null. The birthday can decide the ladder. */
export type BeltLookup = (belt: string, birthday: string | null) => MatchedBelt | null

/** The same for "White", "white belt" and "WHITE-BELT", so that we ask about a belt only once. */
export const beltKey = (belt: string): string => fold(belt).replace(/ belt$/, '')

const FILLER_WORDS = ['belt', 'and', 'the']

/** "Grey/White belt" and "Grey and white" name the same rank. */
export const rankNameKey = (name: string): string =>
  fold(name)
    .split(' ')
    .filter((word) => !FILLER_WORDS.includes(word))
    .join(' ')

/** Finds one of the seven belts. Null for others, such as "2nd Dan" or "White with yellow stripe". */
export function findBelt(belt: string): BeltMeaning | null {
  if (isNoBelt(belt)) return NO_BELT
  if (isHighDegree(parseGrade(belt)) || findBeltColors(belt).length > 1) return null
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
  const meaningOfCell = lookUp(beltText, birthday)
  // The whole cell may name a rank of the school, such as "Black 2nd degree".
  if (meaningOfCell?.rank_id || stripesInBelt === null) {
    if (meaningOfCell === null) problems.push({ field: 'belt_level', message: BELT_PROBLEM })
    const { belt_level, rank_id, stripes }: MatchedBelt = meaningOfCell ?? NO_BELT
    return { belt_level, rank_id, belt: beltText, beltText, stripesInBelt: stripes ?? null }
  }
  const meaning = lookUp(belt, birthday)
  if (meaning === null) problems.push({ field: 'belt_level', message: BELT_PROBLEM })
  return { ...(meaning ?? NO_BELT), belt, beltText, stripesInBelt }
}

import type { Belt } from '../lib/ranks.ts'
import { parseGrade, isHighDegree } from './grades.ts'
import type { RowReader } from './row-reader.ts'
import { splitStripes } from './stripes.ts'
import { findBeltColors, normalizeText, isNoBelt, parseBelt } from './values.ts'

/** A rank of the school's own ladders if `rank_id` is set. Otherwise, one of the seven belts. */
export type BeltMeaning = { belt_level: Belt | null; rank_id: string | null }

export const NO_BELT: BeltMeaning = { belt_level: null, rank_id: null }

/** Has `stripes` if the rank shows the degree of a black belt as stripes. */
export type MatchedBelt = BeltMeaning & { stripes?: number }

/** Finds the rank that a belt in the sheet means, or null. If a school has ladders for different
 *  ages, the birthday decides which one applies. */
export type BeltLookup = (belt: string, birthday: string | null) => MatchedBelt | null

/** Returns the same key for "White", "white belt" and "WHITE-BELT", so we ask about each belt
 *  once. */
export const beltKey = (belt: string): string => normalizeText(belt).replace(/ belt$/, '')

const FILLER_WORDS = ['belt', 'and', 'the']

/** "Grey/White belt" and "Grey and white" name the same rank. */
export const rankNameKey = (name: string): string =>
  normalizeText(name)
    .split(' ')
    .filter((word) => !FILLER_WORDS.includes(word))
    .join(' ')

/** Finds one of the seven belts. Returns null for others, such as "2nd Dan" or "White with yellow
 *  stripe". */
export function findBelt(belt: string): BeltMeaning | null {
  if (isNoBelt(belt)) return NO_BELT
  if (isHighDegree(parseGrade(belt)) || findBeltColors(belt).length > 1) return null
  const belt_level = parseBelt(belt)
  return belt_level === null ? null : { belt_level, rank_id: null }
}

const BELT_PROBLEM = 'Please enter white, yellow, orange, green, blue, brown or black'

export type BeltCell = BeltMeaning & {
  /** The text of the cell, usually without stripes. If the whole cell names a rank of the school,
   *  it includes them. Null for an empty cell. */
  belt: string | null
  /** The whole cell. */
  beltText: string | null
  stripesInBelt: number | null
}

export function readBelt(
  { text: readText, problems }: RowReader,
  birthday: string | null,
  lookUp: BeltLookup = findBelt,
): BeltCell {
  const beltText = readText('belt_level')
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

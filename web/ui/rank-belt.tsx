import { type Belt as BeltName, type HeldRank, rankWords, type RankPattern, type ShownRank } from '@tatami/contract/ranks'
import type { CSSProperties } from 'react'
import { capitalize } from '../lib/text.ts'
import { Belt } from './belt.tsx'

/** Null in a dojo that has never opened Belts: then one of the seven stands for it. */
type Rank = HeldRank | ShownRank | null
type Props = {
  /** Stripes are those that somebody has: a rank of a ladder, whose `stripes` are those that may be given, is drawn with 0. */
  rank: Rank
  /** The belt that stands for a rank of null. */
  level?: BeltName
  size?: number
  /** Beside the rank's name, it is not read a second time. */
  decorative?: boolean
}

const WITH: Partial<Record<RankPattern, (second: string) => string>> = {
  split: () => ' in halves',
  'centre-stripe': (second) => ` with a ${second} stripe along the middle`,
  tip: (second) => ` with a ${second} tip`,
  bar: () => ' with a black bar',
  'red-bar': () => ' with a red bar',
  panels: () => ' in panels',
}

/** "yellow belt, 1 black tag": all that is drawn of a rank but its stripes, in words. */
export function drawnWords({ colours, pattern, tags_count, tags_colour }: ShownRank): string {
  const [first, second = first] = colours
  const isNamedInPattern = pattern === 'centre-stripe' || pattern === 'tip'
  const names = first === second || isNamedInPattern ? first : `${first} and ${second}`
  const what = [names, pattern === 'patch' ? 'patch' : 'belt'].filter(Boolean).join(' ')
  const tags = tags_count > 0 ? `, ${tags_count} ${tags_colour} ${tags_count === 1 ? 'tag' : 'tags'}` : ''
  return `${what}${WITH[pattern]?.(second!) ?? ''}${tags}`
}

const isNamedAfterColour = (rank: ShownRank) => drawnWords(rank).startsWith(`${rank.name.toLowerCase()} belt`)

/** "8th kyu, 2 stripes", "Yellow belt". A rank that is named after its colour alone is named as a belt. */
export function rankName(rank: Rank, level: BeltName = 'white'): string {
  if (!rank) return `${capitalize(level)} belt`
  return rankWords({ stripes: 0, ...rank, name: isNamedAfterColour(rank) ? `${rank.name} belt` : rank.name })
}

/** What a screen reader says: "8th kyu: yellow belt, 1 black tag". */
function drawnName(rank: Rank, level: BeltName): string {
  const drawn = rank && drawnWords(rank)
  return drawn && drawn !== `${rank.name.toLowerCase()} belt` ? `${rankName(rank, level)}: ${drawn}` : rankName(rank, level)
}

/** A rank as it is: its colours, pattern and tags, and the stripes on it. */
export const RankBelt = ({ rank, level = 'white', size, decorative }: Props) => (
  <Belt {...(rank ?? { colours: [level] })} size={size} decorative={decorative} label={decorative ? undefined : drawnName(rank, level)} />
)

/** Sets what the edge of a card or a row is drawn in (`row-marks.module.css`); two colours share it. */
export function rankEdge(rank: Rank, level: BeltName) {
  const [first, second] = (rank?.colours ?? [level]).map((colour) => `var(--belt-${colour})`)
  return { '--belt': second ? `linear-gradient(${first} 50%, ${second} 50%)` : (first ?? 'var(--sunken)') } as CSSProperties
}

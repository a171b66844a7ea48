import type { Belt as BeltName, RankPattern, ShownRank } from '@tatami/contract/lib/ranks'
import { Belt } from './belt.tsx'
import { type Rank, rankName } from './rank-words.ts'
import { joinWords } from '../lib/text.ts'

export { rankEdge, rankName } from './rank-words.ts'

type Props = {
  /** Stripes are those that somebody has: a rank of a ladder, whose `stripes` are those that may be given, is drawn with 0. */
  rank: Rank
  /** The belt that stands for a rank of null. */
  level?: BeltName
  size?: number
  /** Beside the rank's name, it is not read a second time. */
  decorative?: boolean
}

const PATTERN_WORDS: Partial<Record<RankPattern, (second: string) => string>> = {
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
  const noun = joinWords([names, pattern === 'patch' ? 'patch' : 'belt'], ' ')
  const tags =
    tags_count > 0 ? `, ${tags_count} ${tags_colour} ${tags_count === 1 ? 'tag' : 'tags'}` : ''
  return `${noun}${PATTERN_WORDS[pattern]?.(second!) ?? ''}${tags}`
}

/** What a screen reader says: "8th kyu: yellow belt, 1 black tag". */
function drawnName(rank: Rank, level: BeltName): string {
  const description = rank && drawnWords(rank)
  return description && description !== `${rank.name.toLowerCase()} belt`
    ? `${rankName(rank, level)}: ${description}`
    : rankName(rank, level)
}

/** A rank as it is: its colours, pattern and tags, and the stripes on it. */
export const RankBelt = ({ rank, level = 'white', size, decorative }: Props) => (
  <Belt
    {...(rank ?? { colours: [level] })}
    size={size}
    decorative={decorative}
    label={decorative ? undefined : drawnName(rank, level)}
  />
)

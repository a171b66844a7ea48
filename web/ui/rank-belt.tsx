import type { Belt as BeltName, RankPattern, ShownRank } from '@tatami/contract/lib/ranks'
import { Belt } from './belt.tsx'
import { type Rank, rankName } from './rank-name.ts'
import { joinNonEmpty } from '../lib/text.ts'

export { rankEdgeStyle, rankName } from './rank-name.ts'

type Props = {
  rank: Rank
  level?: BeltName
  size?: number
  decorative?: boolean
}

const PATTERN_DESCRIPTIONS: Partial<Record<RankPattern, (secondColor: string) => string>> = {
  split: () => ' in halves',
  'centre-stripe': (secondColor) => ` with a ${secondColor} stripe along the middle`,
  tip: (secondColor) => ` with a ${secondColor} tip`,
  bar: () => ' with a black bar',
  'red-bar': () => ' with a red bar',
  panels: () => ' in panels',
}

/** Describes the drawing, except for stripes, such as "yellow belt, 1 black tag". */
export function describeRank({ colours, pattern, tags_count, tags_colour }: ShownRank): string {
  const [firstColor, secondColor = firstColor] = colours
  const isInPatternDescription = pattern === 'centre-stripe' || pattern === 'tip'
  const needsSecondColor = firstColor !== secondColor && !isInPatternDescription
  const colorNames = needsSecondColor ? `${firstColor} and ${secondColor}` : firstColor
  const beltName = joinNonEmpty([colorNames, pattern === 'patch' ? 'patch' : 'belt'], ' ')
  const tags =
    tags_count > 0 ? `, ${tags_count} ${tags_colour} ${tags_count === 1 ? 'tag' : 'tags'}` : ''
  return `${beltName}${PATTERN_DESCRIPTIONS[pattern]?.(secondColor ?? '') ?? ''}${tags}`
}

function ariaLabel(rank: Rank, level: BeltName): string {
  const description = rank && describeRank(rank)
  return description && description !== `${rank.name.toLowerCase()} belt`
    ? `${rankName(rank, level)}: ${description}`
    : rankName(rank, level)
}

export const RankBelt = ({ rank, level = 'white', size, decorative }: Props) => (
  <Belt
    {...(rank ?? { colours: [level] })}
    size={size}
    decorative={decorative}
    label={decorative ? undefined : ariaLabel(rank, level)}
  />
)

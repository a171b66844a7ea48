import { type Belt, type HeldRank, rankLabel, type ShownRank } from '@tatami/contract/lib/ranks'
import type { CSSProperties } from 'react'
import { capitalize } from '../lib/text.ts'

/** Null in a dojo without ladders, where one of the seven belt levels is used. */
export type Rank = HeldRank | ShownRank | null

const isNamedAfterColor = ({ name, colours, pattern }: ShownRank) =>
  pattern !== 'patch' && colours.join() === name.toLowerCase()

/** For example "8th kyu, 2 stripes" or "Yellow belt" */
export function rankName(rank: Rank, level: Belt = 'white'): string {
  if (!rank) return `${capitalize(level)} belt`
  return rankLabel({
    stripes: 0,
    ...rank,
    name: isNamedAfterColor(rank) ? `${rank.name} belt` : rank.name,
  })
}

export function rankEdgeStyle(rank: Rank, level: Belt): CSSProperties {
  const [top, bottom] = (rank?.colours ?? [level]).map((color) => `var(--belt-${color})`)
  return {
    '--belt': bottom ? `linear-gradient(${top} 50%, ${bottom} 50%)` : (top ?? 'var(--sunken)'),
  }
}

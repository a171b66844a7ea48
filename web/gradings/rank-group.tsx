import { Title } from '@mantine/core'
import type { Candidate } from '@tatami/contract/gradings/gradings'
import { type ReactNode, useId } from 'react'
import { RankBelt } from '../ui/rank-belt.tsx'
import kit from '../ui/kit.module.css'

/** Candidates by the rank that they try for, in the order of the server: the lowest rank first. */
export const groupByRank = <C extends Candidate>(candidates: readonly C[]): C[][] => [
  ...Map.groupBy(candidates, ({ to_rank }) => to_rank.id).values(),
]

type Props = { candidates: readonly Candidate[]; children: ReactNode }

export function RankGroup({ candidates, children }: Props) {
  const heading = useId()
  const { to_rank, belt_level } = candidates[0]!
  return (
    <section aria-labelledby={heading} className={kit.stackTight}>
      <Title order={2} id={heading} className={`${kit.line} ${kit.title}`}>
        <RankBelt rank={to_rank} level={belt_level} size={40} decorative />
        {to_rank.name}
        <span className={kit.count}>{candidates.length}</span>
      </Title>
      {children}
    </section>
  )
}

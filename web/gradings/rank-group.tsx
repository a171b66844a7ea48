import { Title } from '@mantine/core'
import type { Candidate } from '@tatami/contract/gradings/gradings'
import { type ReactNode, useId } from 'react'
import { FramedList } from '../ui/framed-list.tsx'
import { RankBelt } from '../ui/rank-belt.tsx'
import kit from '../ui/kit.module.css'

/** Groups candidates by the rank they test for. The server lists the lowest rank first. */
export const groupByRank = <C extends Candidate>(candidates: readonly C[]) =>
  [...Map.groupBy(candidates, ({ to_rank }) => to_rank.id).values()].flatMap((group) => {
    const [candidate] = group
    if (!candidate) return []
    return [{ rank: candidate.to_rank, level: candidate.belt_level, candidates: group }]
  })
export type RankCandidates<C extends Candidate = Candidate> = ReturnType<
  typeof groupByRank<C>
>[number]

type GroupProps = { group: RankCandidates; children: ReactNode }

export function RankGroup({ group: { rank, level, candidates }, children }: GroupProps) {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId} className={kit.stackTight}>
      <Title order={2} id={headingId} className={`${kit.line} ${kit.title}`}>
        <RankBelt rank={rank} level={level} size={40} decorative />
        {rank.name}
        <span className={kit.count}>{candidates.length}</span>
      </Title>
      {children}
    </section>
  )
}

type ListProps = {
  candidates: readonly Candidate[]
  renderRow: (candidate: Candidate) => ReactNode
}

export const RankLists = ({ candidates, renderRow }: ListProps) =>
  groupByRank(candidates).map((group) => (
    <RankGroup key={group.rank.id} group={group}>
      <FramedList>
        {group.candidates.map((candidate) => (
          <li key={candidate.student_id}>{renderRow(candidate)}</li>
        ))}
      </FramedList>
    </RankGroup>
  ))

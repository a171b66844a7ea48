import { Title } from '@mantine/core'
import type { Candidate } from '@tatami/contract/gradings/gradings'
import { type ReactNode, useId } from 'react'
import { FramedList } from '../ui/framed-list.tsx'
import { RankBelt } from '../ui/rank-belt.tsx'
import kit from '../ui/kit.module.css'

export type RankCandidates<Row extends Candidate = Candidate> = {
  rank: Candidate['to_rank']
  level: Candidate['belt_level']
  candidates: Row[]
}

/** Groups candidates by the rank they test for. The server lists the lowest rank first. */
export function groupByRank<Row extends Candidate>(
  candidates: readonly Row[],
): RankCandidates<Row>[] {
  const groups: RankCandidates<Row>[] = []
  for (const rows of Map.groupBy(candidates, ({ to_rank }) => to_rank.id).values()) {
    const [firstRow] = rows
    if (firstRow)
      groups.push({ rank: firstRow.to_rank, level: firstRow.belt_level, candidates: rows })
  }
  return groups
}

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

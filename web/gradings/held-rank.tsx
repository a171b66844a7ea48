import type { Candidate } from '@tatami/contract/gradings/gradings'
import { RankBelt, rankName } from '../ui/rank-belt.tsx'

export const describeHeldRank = ({
  from_rank,
  belt_level,
}: Pick<Candidate, 'from_rank' | 'belt_level'>) =>
  from_rank ? rankName(from_rank, belt_level) : 'New to this style'

export const HeldRank = ({ candidate }: { candidate: Candidate }) => (
  <>
    {candidate.from_rank && (
      <RankBelt rank={candidate.from_rank} level={candidate.belt_level} size={28} decorative />
    )}
    {describeHeldRank(candidate)}
  </>
)

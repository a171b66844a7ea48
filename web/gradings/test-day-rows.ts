import type { Candidate, GradingResult } from '@tatami/contract/gradings/gradings'
import type { PendingResult } from './result-outbox.ts'

/** A candidate on the test day. The server does not have the `pendingResult` yet. */
export type CandidateRow = Candidate & { pendingResult: PendingResult | undefined }

export const buildRows = (
  candidates: readonly Candidate[],
  pendingResults: readonly PendingResult[],
): CandidateRow[] =>
  candidates.map((candidate) => {
    const pendingResult = pendingResults.find(
      ({ student_id }) => student_id === candidate.student_id,
    )
    if (!pendingResult || pendingResult.refusal !== undefined)
      return { ...candidate, pendingResult }
    const { result, stripes_given } = pendingResult
    return { ...candidate, result, stripes_given, pendingResult }
  })

export const countRemainingStripes = ({ max_stripes, from_rank }: Candidate): number =>
  Math.max(0, max_stripes - (from_rank?.stripes ?? 0))

/** Suggests one stripe for a partial pass, unless the belt already has all its stripes. */
export const suggestStripes = (candidate: Candidate, result: GradingResult | null): number | null =>
  result === 'partial' ? Math.min(1, countRemainingStripes(candidate)) : null

import type { Candidate, GradingResult } from '@tatami/contract/gradings/gradings'
import type { PendingResult } from './result-outbox.ts'

/** A candidate on the test day. `pendingResult` is a result that only this device has so far. */
export type CandidateRow = Candidate & { pendingResult: PendingResult | undefined }

export const buildRows = (
  candidates: readonly Candidate[],
  pendingResults: readonly PendingResult[],
): CandidateRow[] =>
  candidates.map((candidate) => {
    const pendingResult = pendingResults.find(
      ({ student_id }) => student_id === candidate.student_id,
    )
    const { result, stripes_given } =
      pendingResult && pendingResult.refusal === undefined ? pendingResult : candidate
    return { ...candidate, result, stripes_given, pendingResult }
  })

export const countRemainingStripes = ({ max_stripes, from_rank }: Candidate): number =>
  Math.max(0, max_stripes - (from_rank?.stripes ?? 0))

/** A partial pass gives one stripe, unless the belt already has all of its stripes. */
export const suggestStripes = (candidate: Candidate, result: GradingResult | null): number | null =>
  result === 'partial' ? Math.min(1, countRemainingStripes(candidate)) : null

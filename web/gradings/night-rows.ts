import type { Candidate, GradingResult } from '@tatami/contract/gradings/gradings'
import type { PendingResult } from './results.ts'

/** `pending` is a result that only this device has. */
export type NightRow = Candidate & { pending: PendingResult | undefined }

export const buildNightRows = (
  candidates: readonly Candidate[],
  pending: readonly PendingResult[],
): NightRow[] =>
  candidates.map((candidate) => {
    const pendingResult = pending.find(({ student_id }) => student_id === candidate.student_id)
    const { result, stripes_given } =
      pendingResult && pendingResult.refusal === undefined ? pendingResult : candidate
    return { ...candidate, result, stripes_given, pending: pendingResult }
  })

export const stripesLeft = ({ max_stripes, from_rank }: Candidate): number =>
  Math.max(0, max_stripes - (from_rank?.stripes ?? 0))

/** A partial pass starts with one stripe if the belt has room. */
export const stripesFor = (candidate: Candidate, result: GradingResult | null): number | null =>
  result === 'partial' ? Math.min(1, stripesLeft(candidate)) : null

import type { Candidate, GradingResult } from '@tatami/contract/gradings/gradings'
import type { PendingResult } from './results.ts'

/** A candidate with the result last noted on this device, whether the server has it or not. */
export type NightRow = Candidate & { pending: PendingResult | undefined }

export const buildNightRows = (
  candidates: readonly Candidate[],
  pending: readonly PendingResult[],
): NightRow[] =>
  candidates.map((candidate) => {
    const pendingResult = pending.find(({ student_id }) => student_id === candidate.student_id)
    // What the server refused is not what counts.
    const { result, stripes_given } =
      pendingResult && pendingResult.refusal === undefined ? pendingResult : candidate
    return { ...candidate, result, stripes_given, pending: pendingResult }
  })

/** How many stripes the rank that somebody has still has room for. */
export const stripesLeft = ({ max_stripes, from_rank }: Candidate): number =>
  Math.max(0, max_stripes - (from_rank?.stripes ?? 0))

/** A part of the grading earns one stripe where there is room, until another number is chosen. */
export const stripesFor = (candidate: Candidate, result: GradingResult | null): number | null =>
  result === 'partial' ? Math.min(1, stripesLeft(candidate)) : null

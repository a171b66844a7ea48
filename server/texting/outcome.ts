import type { SkipReason } from '@tatami/contract/message-types'

/** The number that a text goes to, or why none goes. */
export type Outcome = { phone: string; reason: null } | { phone: null; reason: SkipReason }
type Student = { phone: string | null; isMeant: boolean; onVacation: boolean; isTrial: boolean; hasPaid: boolean; isOptedOut: boolean }
type Without = { withoutTrial: boolean; withoutPaid: boolean }

const skipped = (reason: SkipReason): Outcome => ({ phone: null, reason })

/** Of several reasons the first of SKIP_REASON_LABELS is told. */
export function outcomeFor({ phone, ...student }: Student, { withoutTrial, withoutPaid }: Without): Outcome {
  if (!student.isMeant) return skipped('not_in_class')
  if (student.onVacation) return skipped('vacation')
  if (withoutTrial && student.isTrial) return skipped('trial')
  if (withoutPaid && student.hasPaid) return skipped('paid')
  if (phone === null) return skipped('no_valid_phone')
  if (student.isOptedOut) return skipped('opted_out')
  return { phone, reason: null }
}

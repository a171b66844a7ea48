import { type BeltTestLabels } from '../dojos/belt-test.ts'
import { MONTHS } from '../lib/calendar-day.ts'
import type { ChargeKind, PaymentMethod } from './ledger.ts'

const METHOD_NAMES: Record<PaymentMethod, string> = {
  cash: 'Cash',
  cheque: 'Check',
  card: 'Card',
  transfer: 'Bank transfer',
  online: 'Online',
}
/** A month that was marked paid without a payment has no method. */
export const methodName = (method: PaymentMethod | null): string =>
  method ? METHOD_NAMES[method] : 'Not recorded'

const KIND_NAMES: Record<Exclude<ChargeKind, 'month' | 'grading'>, string> = {
  equipment: 'Equipment',
  late_fee: 'Late fee',
  other: 'Other charge',
  plan: 'Plan',
  sign_up: 'Sign-up fee',
  yearly: 'Yearly fee',
  pack: 'Class pack',
  drop_in: 'Drop-in class',
  early_end: 'Fee for ending early',
}
export const chargeKindName = (kind: Exclude<ChargeKind, 'month'>, beltTest: BeltTestLabels) =>
  kind === 'grading' ? `${beltTest.capitalized} fee` : KIND_NAMES[kind]

const NAMED_BY_NOTE: ReadonlySet<ChargeKind> = new Set(['plan', 'pack', 'drop_in'])

type ChargeFields = {
  kind: ChargeKind | null
  month: number | null
  year: number | null
  note?: string | null
}

/** What a payment was for: "March 2026: Twice a week", "Late fee for March 2026", "Belt test fee". */
export function chargeName(
  { kind, month, year, note }: ChargeFields,
  beltTest: BeltTestLabels,
): string {
  if (kind === null) return 'Credit'
  const monthLabel = month === null || year === null ? '' : `${MONTHS[month]} ${year}`
  if (kind === 'month') return note ? `${monthLabel}: ${note}` : monthLabel
  // The note of these says what was bought: "Weapons class: April 2026", "Ten classes".
  if (note && NAMED_BY_NOTE.has(kind)) return note
  const kindName = chargeKindName(kind, beltTest)
  const name = monthLabel ? `${kindName} for ${monthLabel}` : kindName
  return note ? `${name}: ${note}` : name
}

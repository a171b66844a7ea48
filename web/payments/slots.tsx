import type { Student } from '@tatami/contract/students'

/** Screens that the Payment Center leads to, beside its acts. */
export const PAYMENT_SCREENS = [
  { label: 'Owing', to: '/owing' },
  { label: 'Cash Count', to: '/cash-count' },
  { label: 'Receipts', to: '/receipts' },
  { label: 'Figures', to: '/payment-figures' },
]

/** Stands beside Undo after money was received, and at each such act of an account: what can be done with that act. */
export const ActSlot = (_: { actId: string; studentId: string }) => null

/** Stands under what a student owes: what was agreed about it. */
export const OwedSlot = (_: { student: Student }) => null

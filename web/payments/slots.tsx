import type { Student } from '@tatami/contract/students'

/** Screens that the Payment Center leads to, beside its acts. */
export const PAYMENT_SCREENS: readonly { label: string; to: string }[] = []

/** Stands beside Undo after money was received, and at each such act of an account: what can be done with that act. */
export const ActSlot = (_: { actId: string; studentId: string }) => null

/** Stands under what a student owes: what was agreed about it. */
export const OwedSlot = (_: { student: Student }) => null

import type { Account, NewCharge, NewPayment, NewRefund } from '@tatami/contract/ledger'
import type { Month } from '@tatami/contract/month'
import type { Student } from '@tatami/contract/students'
import { today } from '../lib/dates.ts'
import { formatMoney, parseMoney } from '../lib/money.ts'
import { chargeName, chargeOf, owedIn, paymentEffect, receivedFor } from './account-figures.ts'

export const ACTS = [
  { value: 'payment', label: 'Payment', submit: 'Take payment' },
  { value: 'charge', label: 'Charge', submit: 'Add charge' },
  { value: 'refund', label: 'Refund', submit: 'Give back' },
  { value: 'write_off', label: 'Write off', submit: 'Write off' },
] as const
export type Act = (typeof ACTS)[number]['value']

type ChosenMethod = 'cash' | 'cheque' | 'card' | 'transfer'
export const METHODS: readonly ChosenMethod[] = ['cash', 'cheque', 'card', 'transfer']

/** What the fields hold. Each act has an amount of its own, so that looking at another loses nothing. */
export type Values = {
  act: Act
  amount: string
  toward: 'month' | 'oldest'
  charge_amount: string
  kind: NewCharge['kind']
  refund_amount: string
  /** Of what is given back; empty: of the credit. */
  charge_id: string
  /** The charge that is written off. */
  forgiven_id: string
  method: ChosenMethod | ''
  note: string
  date: string
}

/** The month that is looked at, and what is owed for it and for everything else. */
export type Target = { month: Month; ofMonth: number; others: number }

/** `price` is what the month would cost where it has no charge yet; null where it is paid. */
export function paymentTarget(account: Account, month: Month, price: number | null): Target {
  const charge = chargeOf(account, month)
  const owed = charge?.owed ?? 0
  return {
    month,
    ofMonth: charge ? owed : (price ?? 0),
    others: Math.round((owedIn(account) - owed) * 100) / 100,
  }
}

export const mayChooseMonth = ({ ofMonth, others }: Target) => ofMonth > 0 && others > 0

/** What a payment covers before the rest of it becomes credit. */
export const dueOf = ({ ofMonth, others }: Target) => Math.round((ofMonth + others) * 100) / 100

/** What can be given back: of what was received for a charge, or of the credit. */
export const refundables = (account: Account): { id: string; label: string; most: number }[] => [
  ...account.charges.toReversed().flatMap((charge) => {
    const most = charge.id === null ? 0 : receivedFor(account, charge.id)
    return most > 0 ? [{ id: charge.id!, label: chargeName(charge), most }] : []
  }),
  ...(account.credit > 0 ? [{ id: '', label: 'Credit', most: account.credit }] : []),
]

/** What can be forgiven. The month in progress has no charge before it ends or is paid toward. */
export const writeOffs = ({ charges }: Account): { id: string; label: string; owed: number }[] =>
  charges.flatMap((charge) =>
    charge.id !== null && charge.owed > 0
      ? [{ id: charge.id, label: chargeName(charge), owed: charge.owed }]
      : [],
  )

/** The way in which the student usually pays, where it is one of ours. */
const usualMethod = ({ payment_method }: Student) =>
  METHODS.find((method) => method === payment_method?.trim().toLowerCase()) ?? ''

export const initialValues = (
  act: Act,
  student: Student,
  account: Account,
  target: Target,
): Values => ({
  act,
  amount: dueOf(target) > 0 ? dueOf(target).toFixed(2) : '',
  toward: 'month',
  charge_amount: '',
  kind: 'grading',
  refund_amount: '',
  charge_id: refundables(account)[0]?.id ?? '',
  forgiven_id: writeOffs(account)[0]?.id ?? '',
  method: usualMethod(student),
  note: '',
  date: today(),
})

type Sent<B> = { [F in keyof B]?: B[F] | null | undefined }
export type Wire =
  | { act: 'payment'; body: Sent<NewPayment> }
  | { act: 'charge'; body: Sent<NewCharge> }
  | { act: 'refund'; body: Sent<NewRefund> }
  | { act: 'write_off'; id: string; body: { note: string | null } }

export function wireOf(values: Values, student_id: string, { month, ofMonth }: Target): Wire {
  const { act } = values
  const note = values.note || null
  const received = { method: values.method || null, note, received_on: values.date || null }
  if (act === 'payment') {
    const toward = ofMonth > 0 && values.toward === 'month' ? month : null
    return { act, body: { student_id, amount: parseMoney(values.amount), toward, ...received } }
  }
  if (act === 'charge') {
    const amount = parseMoney(values.charge_amount)
    return {
      act,
      body: {
        student_ids: [student_id],
        kind: values.kind,
        amount,
        note,
        charged_on: values.date || null,
      },
    }
  }
  if (act === 'refund') {
    const amount = parseMoney(values.refund_amount)
    return { act, body: { student_id, charge_id: values.charge_id || null, amount, ...received } }
  }
  return { act, id: values.forgiven_id, body: { note } }
}

/** The form's field for a path of what is sent. What is wrong with any of the amounts stands under the one name that all of them have there. */
export const fieldOf = (path: string): string =>
  path === 'received_on' || path === 'charged_on' ? 'date' : path

const KIND_WORDS: Record<Values['kind'], string> = {
  grading: 'Grading fee',
  equipment: 'Equipment',
  other: 'Other charge',
}
export const KINDS = (['grading', 'equipment', 'other'] as const).map((value) => ({
  value,
  label: KIND_WORDS[value],
}))

/** What was done, as the bar with Undo says it. */
export function wordsOf(
  values: Values,
  { name }: Student,
  account: Account,
  target: Target,
): string {
  const amount = parseMoney(values.amount) ?? 0
  if (values.act === 'payment')
    return `${name} paid ${formatMoney(amount)}. ${paymentEffect(amount, dueOf(target))}`
  if (values.act === 'charge')
    return `${KIND_WORDS[values.kind]} of ${formatMoney(parseMoney(values.charge_amount) ?? 0)} charged to ${name}`
  if (values.act === 'refund')
    return `${formatMoney(parseMoney(values.refund_amount) ?? 0)} given back to ${name}`
  const forgiven = writeOffs(account).find(({ id }) => id === values.forgiven_id)
  return `${forgiven?.label ?? 'Charge'} of ${name} written off, ${formatMoney(forgiven?.owed ?? 0)}`
}

import type { Month } from '@tatami/contract/lib/calendar-day'
import { formatMoney, parseMoney, sumDollars, formatDecimal } from '@tatami/contract/lib/money'
import {
  type Account,
  chargeOf,
  type NewCharge,
  type NewPayment,
  type NewRefund,
} from '@tatami/contract/ledger/ledger'
import type { Student } from '@tatami/contract/students/students'
import { today } from '../lib/dates.ts'
import { formatMonth } from '../lib/month.ts'
import { chargeName, owedIn, paymentEffect, receivedFor } from './account-figures.ts'
import type { Done } from './undo-bar.tsx'

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

/** Whether the month that is looked at is settled, is to be paid, or asks for nothing. */
export type MonthStanding = 'settled' | 'due' | 'nothing_due'

/** The month that is looked at, and what is owed for it and for everything else. */
export type Target = {
  month: Month
  /** What the month takes; where nothing is due, what it takes to pay for it anyway. */
  ofMonth: number
  others: number
  /** What was paid ahead: it covers a part of what is owed. */
  credit: number
  isNothingDue: boolean
}

/** `price` is what the month would cost where it has no charge yet. */
export function paymentTarget(
  account: Account,
  month: Month,
  price: number,
  standing: MonthStanding,
): Target {
  const charge = chargeOf(account, month)
  const owed = charge?.owed ?? 0
  const uncharged = standing === 'settled' ? 0 : price
  return {
    month,
    ofMonth: charge ? owed : uncharged,
    others: sumDollars([owedIn(account), -owed]),
    credit: account.credit,
    isNothingDue: !charge && standing === 'nothing_due',
  }
}

export const mayChooseMonth = ({ ofMonth, others, isNothingDue }: Target) =>
  ofMonth > 0 && (others > 0 || isNothingDue)

type Payment = Pick<Values, 'amount' | 'toward'>
const paysMonthAnyway = ({ toward }: Pick<Values, 'toward'>, { ofMonth, isNothingDue }: Target) =>
  isNothingDue && ofMonth > 0 && toward === 'month'

/** What somebody still has to pay, and a payment covers before the rest of it becomes credit. */
function coverable(values: Pick<Values, 'toward'>, target: Target): number {
  const coversMonth = !target.isNothingDue || paysMonthAnyway(values, target)
  const owed = sumDollars([coversMonth ? target.ofMonth : 0, target.others])
  return Math.max(0, sumDollars([owed, -target.credit]))
}

/** What becomes of the amount. A month for which nothing is due is named, so that nobody pays it by mistake. */
export function effectOf(values: Payment, target: Target): string {
  const amount = parseMoney(values.amount)
  const due = coverable(values, target)
  if (!target.isNothingDue) return paymentEffect(amount, due)
  const nothingDue = `Nothing is due for ${formatMonth(target.month)}.`
  if (paysMonthAnyway(values, target) && (amount ?? 0) <= due)
    return `${nothingDue} This pays for it anyway.`
  return amount || due > 0 ? `${nothingDue} ${paymentEffect(amount, due)}` : nothingDue
}

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

function initialPayment(target: Target, isForMonth: boolean): Payment {
  const { ofMonth, isNothingDue } = target
  const toward = isNothingDue && !isForMonth ? 'oldest' : 'month'
  const due = isNothingDue && isForMonth ? ofMonth : coverable({ toward }, target)
  return { toward, amount: due > 0 ? formatDecimal(due) : '' }
}

/** `isForMonth`: the sheet was opened to pay the month, whether something is due for it or not. */
export const initialValues = (
  act: Act,
  student: Student,
  account: Account,
  target: Target,
  isForMonth: boolean,
): Values => ({
  act,
  ...initialPayment(target, isForMonth),
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

const chargeKindName = (kind: Values['kind']) => chargeName({ kind, month: null, year: null })
export const chargeKinds = () =>
  (['grading', 'equipment', 'other'] as const).map((kind) => ({
    value: kind,
    label: chargeKindName(kind),
  }))

/** What was done, as the bar with Undo says it. */
export function wordsOf(
  values: Values,
  { name }: Student,
  account: Account,
  target: Target,
): Pick<Done, 'name' | 'words'> {
  const amount = parseMoney(values.amount) ?? 0
  if (values.act === 'payment') {
    const isForMonth = paysMonthAnyway(values, target)
    const paid = `paid ${formatMoney(amount)}`
    const words =
      isForMonth && amount <= target.ofMonth
        ? `${paid} for ${formatMonth(target.month)}`
        : `${paid}. ${paymentEffect(amount, coverable(values, target))}`
    return { name, words }
  }
  if (values.act === 'charge') {
    const charged = formatMoney(parseMoney(values.charge_amount) ?? 0)
    return { words: `${chargeKindName(values.kind)} of ${charged} charged to ${name}` }
  }
  if (values.act === 'refund') {
    const refunded = formatMoney(parseMoney(values.refund_amount) ?? 0)
    return { words: `${refunded} given back to ${name}` }
  }
  const forgiven = writeOffs(account).find(({ id }) => id === values.forgiven_id)
  const words = `${forgiven?.label ?? 'Charge'} of ${name} written off, ${formatMoney(forgiven?.owed ?? 0)}`
  return { words }
}

import type { Month } from '@tatami/contract/lib/calendar-day'
import { formatMoney, parseMoney, sumDollars, formatDecimal } from '@tatami/contract/lib/money'
import { chargeKindName, chargeName } from '@tatami/contract/ledger/charge-words'
import {
  type Account,
  chargeOf,
  type NewCharge,
  type NewPayment,
  type NewRefund,
} from '@tatami/contract/ledger/ledger'
import type { Student } from '@tatami/contract/students/students'
import { beltTest } from '../lib/belt-test.ts'
import { today } from '../lib/dates.ts'
import { formatMonth } from '../lib/month.ts'
import { paymentEffect, receivedFor } from './account-figures.ts'
import type { LedgerNotice } from './undo-bar.tsx'

export const ACTIONS = [
  { value: 'payment', label: 'Payment' },
  { value: 'charge', label: 'Charge' },
  { value: 'refund', label: 'Refund' },
  { value: 'write_off', label: 'Write off' },
] as const
export type LedgerAction = (typeof ACTIONS)[number]['value']
export const SUBMIT_LABELS: Record<LedgerAction, string> = {
  payment: 'Take payment',
  charge: 'Add charge',
  refund: 'Refund',
  write_off: 'Write off',
}

type ManualMethod = 'cash' | 'cheque' | 'card' | 'transfer'
export const METHODS: readonly ManualMethod[] = ['cash', 'cheque', 'card', 'transfer']

export const chargeKinds = () =>
  (['grading', 'equipment', 'other'] as const).map((kind) => ({
    value: kind,
    label: chargeKindName(kind, beltTest()),
  }))

/** Each action has its own amount, so that looking at another one loses nothing. */
export type Values = {
  action: LedgerAction
  amount: string
  toward: 'month' | 'oldest'
  charge_amount: string
  kind: NewCharge['kind']
  refund_amount: string
  /** The charge that is refunded; empty for the credit. */
  charge_id: string
  forgiven_id: string
  method: ManualMethod | ''
  note: string
  date: string
}

/** Whether the month of the screen is settled, is to be paid, or has nothing due. */
export type MonthStanding = 'settled' | 'due' | 'nothing_due'

/** What a payment can go to: the month of the screen, and other charges. Amounts are dollars. */
export type Target = {
  month: Month
  /** Owed for the month. If nothing is due, what it costs to pay for it anyway. */
  monthAmount: number
  otherAmount: number
  /** Money paid ahead, which covers a part of what is owed. */
  credit: number
  isNothingDue: boolean
}

/** `price` is what the month would cost if it has no charge yet. */
export function paymentTarget(
  account: Account,
  month: Month,
  price: number,
  standing: MonthStanding,
): Target {
  const charge = chargeOf(account, month)
  const owedAmount = charge?.owed ?? 0
  const newChargeAmount = standing === 'settled' ? 0 : price
  return {
    month,
    monthAmount: charge ? owedAmount : newChargeAmount,
    otherAmount: sumDollars([...account.charges.map(({ owed }) => owed), -owedAmount]),
    credit: account.credit,
    isNothingDue: !charge && standing === 'nothing_due',
  }
}

export const canChooseMonth = ({ monthAmount, otherAmount, isNothingDue }: Target) =>
  monthAmount > 0 && (otherAmount > 0 || isNothingDue)

type Payment = Pick<Values, 'amount' | 'toward'>
const paysMonthAnyway = (destination: Values['toward'], { monthAmount, isNothingDue }: Target) =>
  isNothingDue && monthAmount > 0 && destination === 'month'

/** The amount that a payment can cover; any more becomes credit. */
function amountDue(destination: Values['toward'], target: Target): number {
  const coversMonth = !target.isNothingDue || paysMonthAnyway(destination, target)
  const monthAmount = coversMonth ? target.monthAmount : 0
  return Math.max(0, sumDollars([monthAmount, target.otherAmount, -target.credit]))
}

/** A month for which nothing is due is named, so that nobody pays it by mistake. */
export function describeEffect(values: Payment, target: Target): string {
  const amount = parseMoney(values.amount)
  const due = amountDue(values.toward, target)
  if (!target.isNothingDue) return paymentEffect(amount, due)
  const nothingDue = `Nothing is due for ${formatMonth(target.month)}.`
  if (paysMonthAnyway(values.toward, target) && (amount ?? 0) <= due)
    return `${nothingDue} This pays for it anyway.`
  return amount || due > 0 ? `${nothingDue} ${paymentEffect(amount, due)}` : nothingDue
}

type ChargeOption = { id: string; label: string; amount: number }

/** The charges with money received for them, and the credit, which has an empty id. */
export function refundOptions(account: Account): ChargeOption[] {
  const options = account.charges.toReversed().flatMap((charge) => {
    if (charge.id === null) return []
    return {
      id: charge.id,
      label: chargeName(charge, beltTest()),
      amount: receivedFor(account, charge.id),
    }
  })
  const credit = { id: '', label: 'Credit', amount: account.credit }
  return [...options, credit].filter(({ amount }) => amount > 0)
}

/** The current month has no charge, and no id, until it ends or somebody pays toward it. */
export const writeOffOptions = ({ charges }: Account): ChargeOption[] =>
  charges.flatMap((charge) =>
    charge.id !== null && charge.owed > 0
      ? [{ id: charge.id, label: chargeName(charge, beltTest()), amount: charge.owed }]
      : [],
  )

/** How the student usually pays, if the free text names one of our methods. */
const usualMethod = ({ payment_method }: Student) =>
  METHODS.find((method) => method === payment_method?.trim().toLowerCase()) ?? ''

function initialPayment(target: Target, isForMonth: boolean): Payment {
  const { monthAmount, isNothingDue } = target
  const destination = isNothingDue && !isForMonth ? 'oldest' : 'month'
  const due = isNothingDue && isForMonth ? monthAmount : amountDue(destination, target)
  return { toward: destination, amount: due > 0 ? formatDecimal(due) : '' }
}

/** `isForMonth`: the dialog was opened to pay the month, whether or not something is due for it. */
export const initialValues = (
  action: LedgerAction,
  student: Student,
  account: Account,
  target: Target,
  isForMonth: boolean,
): Values => ({
  action,
  ...initialPayment(target, isForMonth),
  charge_amount: '',
  kind: 'grading',
  refund_amount: '',
  charge_id: refundOptions(account)[0]?.id ?? '',
  forgiven_id: writeOffOptions(account)[0]?.id ?? '',
  method: usualMethod(student),
  note: '',
  date: today(),
})

type RequestFields<B> = { [F in keyof B]?: B[F] | null | undefined }
export type PaymentRequest =
  | { action: 'payment'; body: RequestFields<NewPayment> }
  | { action: 'charge'; body: RequestFields<NewCharge> }
  | { action: 'refund'; body: RequestFields<NewRefund> }
  | { action: 'write_off'; id: string; body: { note: string | null } }

export function toRequest(values: Values, student_id: string, target: Target): PaymentRequest {
  const { action, kind } = values
  const note = values.note || null
  const date = values.date || null
  const paymentFields = { student_id, method: values.method || null, note, received_on: date }
  switch (action) {
    case 'payment': {
      const paysMonth = target.monthAmount > 0 && values.toward === 'month'
      const amount = parseMoney(values.amount)
      return {
        action,
        body: { ...paymentFields, amount, toward: paysMonth ? target.month : null },
      }
    }
    case 'charge': {
      const amount = parseMoney(values.charge_amount)
      const body = { student_ids: [student_id], kind, amount, note, charged_on: date }
      return { action, body }
    }
    case 'refund': {
      const charge_id = values.charge_id || null
      return {
        action,
        body: { ...paymentFields, amount: parseMoney(values.refund_amount), charge_id },
      }
    }
    case 'write_off':
  }
  return { action, id: values.forgiven_id, body: { note } }
}

export const formFieldOf = (path: string): string =>
  path === 'received_on' || path === 'charged_on' ? 'date' : path

const formatInput = (input: string) => formatMoney(parseMoney(input) ?? 0)

export function describeResult(
  values: Values,
  { name }: Student,
  account: Account,
  target: Target,
): Pick<LedgerNotice, 'name' | 'message'> {
  switch (values.action) {
    case 'payment': {
      const amount = parseMoney(values.amount) ?? 0
      const paidText = `paid ${formatMoney(amount)}`
      const isForMonth = paysMonthAnyway(values.toward, target) && amount <= target.monthAmount
      const message = isForMonth
        ? `${paidText} for ${formatMonth(target.month)}`
        : `${paidText}. ${paymentEffect(amount, amountDue(values.toward, target))}`
      return { name, message }
    }
    case 'charge': {
      const kindName = chargeKindName(values.kind, beltTest())
      return { message: `${kindName} of ${formatInput(values.charge_amount)} charged to ${name}` }
    }
    case 'refund':
      return { message: `${formatInput(values.refund_amount)} refunded to ${name}` }
    case 'write_off':
  }
  const charge = writeOffOptions(account).find(({ id }) => id === values.forgiven_id)
  const amount = formatMoney(charge?.amount ?? 0)
  return { message: `${charge?.label ?? 'Charge'} written off for ${name}, ${amount}` }
}

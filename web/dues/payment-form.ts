import type { Month } from '@tatami/contract/lib/calendar-day'
import {
  formatMoney,
  parseMoney,
  sumDollars,
  formatDecimal,
  isAmount,
  typedAmount,
} from '@tatami/contract/lib/money'
import { chargeKindName, chargeName } from '@tatami/contract/ledger/charge-words'
import {
  type Account,
  findMonthCharge,
  type NewCharge,
  type NewPayment,
  type NewRefund,
} from '@tatami/contract/ledger/ledger'
import type { Student } from '@tatami/contract/students/students'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { today } from '../lib/dates.ts'
import { formatMonth, thisMonth } from '../lib/month.ts'
import { describePaymentEffect, sumReceived } from './account-figures.ts'
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

export const listChargeKinds = () =>
  (['grading', 'equipment', 'other'] as const).map((kind) => ({
    value: kind,
    label: chargeKindName(kind, schoolBeltTestName()),
  }))

/** Each action has its own amount, so that switching between actions keeps what was typed. */
export type PaymentFormValues = {
  action: LedgerAction
  amount: string
  /** Which debt a payment covers first. */
  toward: 'month' | 'oldest'
  charge_amount: string
  kind: NewCharge['kind']
  refund_amount: string
  /** The charge to refund. Empty to refund unused credit. */
  charge_id: string
  write_off_id: string
  method: ManualMethod | ''
  note: string
  date: string
  /** True to take the payment although the same money is on its way online. */
  even_if_on_its_way: boolean
}

export type MonthStatus = 'settled' | 'due' | 'nothing_due'

export type PaymentTarget = {
  month: Month
  /** What is owed for the month. If nothing is due, what the month would cost anyway. */
  monthAmount: number
  otherAmount: number
  /** The part of the debt that credit and money on its way from a bank cover. */
  coveredAmount: number
  isOnItsWay: boolean
  isNothingDue: boolean
}

/** `price` is what the month would cost if it has no charge yet. */
export function findPaymentTarget(
  account: Account,
  month: Month,
  price: number,
  monthStatus: MonthStatus,
): PaymentTarget {
  const charge = findMonthCharge(account, month)
  const owedAmount = charge?.owed ?? 0
  const expectedAmount = monthStatus === 'settled' ? 0 : price
  return {
    month,
    monthAmount: charge ? owedAmount : expectedAmount,
    otherAmount: sumDollars([...account.charges.map(({ owed }) => owed), -owedAmount]),
    coveredAmount: sumDollars([account.credit, account.on_its_way]),
    isOnItsWay: account.on_its_way > 0,
    isNothingDue: !charge && monthStatus === 'nothing_due',
  }
}

export const canChooseMonth = ({ monthAmount, otherAmount, isNothingDue }: PaymentTarget) =>
  monthAmount > 0 && (otherAmount > 0 || isNothingDue)

type PaymentAmount = Pick<PaymentFormValues, 'amount' | 'toward'>
const paysForMonthNotDue = (
  firstDebt: PaymentFormValues['toward'],
  { monthAmount, isNothingDue }: PaymentTarget,
) => isNothingDue && monthAmount > 0 && firstDebt === 'month'

/** What a payment can cover. Anything above it becomes credit. */
function calculateAmountDue(firstDebt: PaymentFormValues['toward'], target: PaymentTarget): number {
  const coversMonth = !target.isNothingDue || paysForMonthNotDue(firstDebt, target)
  const monthAmount = coversMonth ? target.monthAmount : 0
  return Math.max(0, sumDollars([monthAmount, target.otherAmount, -target.coveredAmount]))
}

export function describeEffect(values: PaymentAmount, target: PaymentTarget): string {
  const amount = isAmount(values.amount) ? parseMoney(values.amount) : undefined
  const amountDue = calculateAmountDue(values.toward, target)
  if (!target.isNothingDue) return describePaymentEffect(amount, amountDue)
  const nothingDueText = `Nothing is due for ${formatMonth(target.month)}.`
  if (paysForMonthNotDue(values.toward, target) && (amount ?? 0) <= amountDue)
    return `${nothingDueText} This pays for it anyway.`
  if (!amount && amountDue === 0) return nothingDueText
  return `${nothingDueText} ${describePaymentEffect(amount, amountDue)}`
}

type ChargeOption = { id: string; label: string; amount: number }
type RefundOption = ChargeOption & { isPaidOnline: boolean }

/** Charges for which money was received, then unused credit, which has an empty id. */
export function listRefundOptions(account: Account): RefundOption[] {
  const options = account.charges.toReversed().flatMap((charge) => {
    if (charge.id === null) return []
    return {
      id: charge.id,
      label: chargeName(charge, schoolBeltTestName()),
      amount: sumReceived(account, charge.id),
    }
  })
  const credit = { id: '', label: 'Credit', amount: account.credit }
  return [...options, credit]
    .filter(({ amount }) => amount > 0)
    .map((option) => ({ ...option, isPaidOnline: isPaidOnline(account, option.id || null) }))
}

const isPaidOnline = ({ lines }: Account, chargeId: string | null): boolean =>
  lines.some(
    ({ charge_id, kind, method }) =>
      charge_id === chargeId && kind === 'payment' && method === 'online',
  )

/** Skips the current month, which has no charge until it ends or somebody pays toward it. */
export const listWriteOffOptions = ({ charges }: Account): ChargeOption[] =>
  charges.flatMap((charge) =>
    charge.id !== null && charge.owed > 0
      ? [{ id: charge.id, label: chargeName(charge, schoolBeltTestName()), amount: charge.owed }]
      : [],
  )

/** How the student usually pays, if the note about it is exactly one of our methods. */
const findUsualMethod = ({ payment_method }: Student) =>
  METHODS.find((method) => method === payment_method?.trim().toLowerCase()) ?? ''

function isCurrentMonth({ month, year }: Month): boolean {
  const currentMonth = thisMonth()
  return month === currentMonth.month && year === currentMonth.year
}

function suggestPayment(target: PaymentTarget, isForMonth: boolean): PaymentAmount {
  const { monthAmount, otherAmount, isNothingDue, isOnItsWay } = target
  // A student who owes something else pays that first. Paying the current month would charge it.
  const owesSomethingElse = otherAmount > 0 && isCurrentMonth(target.month)
  const paysMonthAnyway = isNothingDue && isForMonth && !owesSomethingElse
  // If money is on its way, the server applies the payment to the other debts.
  const firstDebt = isOnItsWay || (isNothingDue && !paysMonthAnyway) ? 'oldest' : 'month'
  const due = paysMonthAnyway ? monthAmount : calculateAmountDue(firstDebt, target)
  return { toward: firstDebt, amount: due > 0 ? formatDecimal(due) : '' }
}

/** Suggests refunding `creditToRefund`. If it is 0, suggests the first option without an amount. */
function suggestRefund(
  account: Account,
  creditToRefund: number,
): Pick<PaymentFormValues, 'charge_id' | 'refund_amount'> {
  const amount = Math.min(creditToRefund, account.credit)
  if (amount > 0) return { charge_id: '', refund_amount: formatDecimal(amount) }
  return { charge_id: listRefundOptions(account)[0]?.id ?? '', refund_amount: '' }
}

export const getInitialValues = (
  action: LedgerAction,
  student: Student,
  account: Account,
  target: PaymentTarget,
  isForMonth: boolean,
  creditToRefund = 0,
): PaymentFormValues => ({
  action,
  ...suggestPayment(target, isForMonth),
  charge_amount: '',
  kind: 'grading',
  ...suggestRefund(account, creditToRefund),
  write_off_id: listWriteOffOptions(account)[0]?.id ?? '',
  method: findUsualMethod(student),
  note: '',
  date: today(),
  even_if_on_its_way: false,
})

type RequestFields<Body> = { [Field in keyof Body]?: Body[Field] | null | undefined }
export type PaymentRequest =
  | { action: 'payment'; body: RequestFields<NewPayment> }
  | { action: 'charge'; body: RequestFields<NewCharge> }
  | { action: 'refund'; body: RequestFields<NewRefund> }
  | { action: 'write_off'; id: string; body: { note: string | null } }

export function toRequest(
  values: PaymentFormValues,
  student_id: string,
  target: PaymentTarget,
): PaymentRequest {
  const { action, kind } = values
  const note = values.note || null
  const date = values.date || null
  const paymentFields = { student_id, method: values.method || null, note, received_on: date }
  if (action === 'payment') {
    const paysMonth = target.monthAmount > 0 && values.toward === 'month'
    const amount = parseMoney(values.amount)
    return {
      action,
      body: {
        ...paymentFields,
        amount,
        toward: paysMonth ? target.month : null,
        ...(values.even_if_on_its_way && { even_if_on_its_way: true }),
      },
    }
  }
  if (action === 'charge') {
    const amount = parseMoney(values.charge_amount)
    return {
      action,
      body: { student_ids: [student_id], kind, amount, note, charged_on: date },
    }
  }
  if (action === 'refund') {
    const amount = parseMoney(values.refund_amount)
    return { action, body: { ...paymentFields, amount, charge_id: values.charge_id || null } }
  }
  return { action, id: values.write_off_id, body: { note } }
}

/** The form has one date field. The API calls it `received_on` or `charged_on`. */
export const findFormField = (path: string): string =>
  path === 'received_on' || path === 'charged_on' ? 'date' : path

const formatTypedAmount = (input: string) => formatMoney(typedAmount(input))

export function describeResult(
  values: PaymentFormValues,
  { name }: Student,
  account: Account,
  target: PaymentTarget,
): Pick<LedgerNotice, 'name' | 'message'> {
  if (values.action === 'payment') {
    const amount = typedAmount(values.amount)
    const paidText = `paid ${formatMoney(amount)}`
    if (paysForMonthNotDue(values.toward, target) && amount <= target.monthAmount)
      return { name, message: `${paidText} for ${formatMonth(target.month)}` }
    const effect = describePaymentEffect(amount, calculateAmountDue(values.toward, target))
    return { name, message: `${paidText}. ${effect}` }
  }
  if (values.action === 'charge') {
    const kindName = chargeKindName(values.kind, schoolBeltTestName())
    return {
      message: `${kindName} of ${formatTypedAmount(values.charge_amount)} charged to ${name}`,
    }
  }
  if (values.action === 'refund')
    return { message: `${formatTypedAmount(values.refund_amount)} refunded to ${name}` }
  const charge = listWriteOffOptions(account).find(({ id }) => id === values.write_off_id)
  const amount = formatMoney(charge?.amount ?? 0)
  return { message: `${charge?.label ?? 'Charge'} written off for ${name}, ${amount}` }
}

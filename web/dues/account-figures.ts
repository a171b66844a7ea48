import { MONTHS, monthOfDate, yearOf, firstDayOf } from '@tatami/contract/lib/calendar-day'
import { formatMoney, sumDollars, toCents, toDollars } from '@tatami/contract/lib/money'
import type {
  Account,
  AccountCharge,
  Balance,
  ChargeKind,
  LedgerLine,
  LineKind,
  PaymentMethod,
} from '@tatami/contract/ledger/ledger'
import { beltTest } from '../lib/belt-test.ts'
import { formatMonthOfDate } from '../lib/dates.ts'

export const METHOD_NAMES: Record<PaymentMethod, string> = {
  cash: 'Cash',
  cheque: 'Check',
  card: 'Card',
  transfer: 'Transfer',
  online: 'Online',
}
const CHARGE_NAMES: Record<Exclude<ChargeKind, 'grading'>, string> = {
  month: 'Month',
  equipment: 'Equipment',
  late_fee: 'Late fee',
  other: 'Other charge',
}
const LINE_NAMES: Record<Exclude<LineKind, 'charge'>, string> = {
  payment: 'Payment',
  credit: 'Credit used',
  refund: 'Refund',
  write_off: 'Write-off',
}

type Named = Pick<AccountCharge, 'kind' | 'month' | 'year'>
/** "November 2026", "Belt test fee", "Late fee, November 2026" */
export const chargeName = ({ kind, month, year }: Named): string => {
  const ofMonth = month !== null && year !== null && formatMonthOfDate(firstDayOf({ month, year }))
  if (kind === 'month' && ofMonth) return ofMonth
  const name = kind === 'grading' ? `${beltTest().capitalized} fee` : CHARGE_NAMES[kind]
  return ofMonth ? `${name}, ${ofMonth}` : name
}

/** "Payment, cash for November 2026"; a charge is called by its name. */
export function lineName(line: LedgerLine, charges: readonly AccountCharge[]): string {
  const charge = charges.find(({ id }) => id !== null && id === line.charge_id)
  if (line.kind === 'charge') return charge ? chargeName(charge) : 'Charge'
  const method = line.method ? `, ${METHOD_NAMES[line.method].toLowerCase()}` : ''
  return `${LINE_NAMES[line.kind]}${method}${charge ? ` for ${chargeName(charge)}` : ''}`
}

/** The lines that are taken back, by the line that did it. One that was taken back itself does not count. */
export function takenBackBy(lines: readonly LedgerLine[]): Map<string, LedgerLine> {
  const reversals = new Map(
    lines.flatMap((line) => (line.reverses === null ? [] : [[line.reverses, line] as const])),
  )
  const isLive = ({ id }: LedgerLine): boolean => {
    const reversal = reversals.get(id)
    return !reversal || !isLive(reversal)
  }
  return new Map([...reversals].filter(([, reversal]) => isLive(reversal)))
}

/** What was received for a charge and has not been given back: at most this can be. */
export const receivedFor = ({ lines }: Account, chargeId: string): number =>
  -sumDollars(
    lines
      .filter((line) => line.charge_id === chargeId && ['payment', 'refund'].includes(line.kind))
      .map(({ amount }) => amount),
  )

export const owedIn = ({ charges }: Pick<Account, 'charges'>): number =>
  sumDollars(charges.map(({ owed }) => owed))

/** What somebody still has to pay, or has as credit. */
export const balanceOf = ({
  balance,
  owed_since,
}: Pick<Account, 'balance' | 'owed_since'>): Pick<Balance, 'owed' | 'credit' | 'owed_since'> => ({
  owed: Math.max(0, balance),
  credit: Math.max(0, -balance),
  owed_since,
})

/** "September" in this year, "September 2025" before it. */
const sinceMonth = (day: string, today: string) =>
  yearOf(day) === yearOf(today) ? MONTHS[monthOfDate(day).month]! : formatMonthOfDate(day)

/** "Owes $170.00 since September", "Credit $15.00"; empty where neither is. */
export const describeBalance = (
  balance: Pick<Balance, 'owed' | 'credit' | 'owed_since'> | undefined,
  today: string,
): string => {
  if (!balance) return ''
  const since = balance.owed_since ? ` since ${sinceMonth(balance.owed_since, today)}` : ''
  return [
    balance.owed > 0 && `Owes ${formatMoney(balance.owed)}${since}`,
    balance.credit > 0 && `Credit ${formatMoney(balance.credit)}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Of a month that asks nothing of a student. */
export const NOTHING_DUE = 'Nothing due'

/** What becomes of an amount that is paid toward what is due. */
export function paymentEffect(amount: number | undefined, due: number): string {
  if (!amount) return due > 0 ? `${formatMoney(due)} is owed.` : 'Nothing is owed.'
  const rest = toCents(due) - toCents(amount)
  if (rest > 0) return `Part payment: ${formatMoney(toDollars(rest))} remains.`
  return rest < 0
    ? `${formatMoney(toDollars(-rest))} is carried forward as credit.`
    : 'Covers all that is owed.'
}

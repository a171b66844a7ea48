import { MONTHS, monthOfDate, yearOf } from '@tatami/contract/lib/calendar-day'
import { formatMoney, sumDollars, toCents, toDollars } from '@tatami/contract/lib/money'
import { chargeName, methodName } from '@tatami/contract/ledger/charge-words'
import type {
  Account,
  AccountCharge,
  Balance,
  LedgerLine,
  LineKind,
} from '@tatami/contract/ledger/ledger'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { formatMonthOfDate } from '../lib/dates.ts'
import { joinNonEmpty } from '../lib/text.ts'

const LINE_NAMES: Record<Exclude<LineKind, 'charge'>, string> = {
  payment: 'Payment',
  credit: 'Credit used',
  refund: 'Refund',
  write_off: 'Write-off',
}

/** "Payment, cash for November 2026". A charge is named after what it is for: "November 2026". */
export function nameLine(line: LedgerLine, charges: readonly AccountCharge[]): string {
  const charge = charges.find(({ id }) => id !== null && id === line.charge_id)
  const name = charge && chargeName({ ...charge, note: null }, schoolBeltTestName())
  // A charge line without a charge is credit from before the school used Tatami.
  if (line.kind === 'charge') return name ?? 'Credit'
  const method = line.method ? `, ${methodName(line.method).toLowerCase()}` : ''
  return joinNonEmpty([`${LINE_NAMES[line.kind]}${method}`, name], ' for ')
}

/** Line id → the reversal that undoes the line. Leaves out reversals that were undone
 *  themselves. */
export function findLiveReversals(lines: readonly LedgerLine[]): Map<string, LedgerLine> {
  const reversals = new Map(
    lines.flatMap((line) => (line.reverses === null ? [] : [[line.reverses, line] as const])),
  )
  // An undo can be undone in turn, so a line is live unless a live reversal undoes it.
  const isLive = ({ id }: LedgerLine): boolean => {
    const reversal = reversals.get(id)
    return !reversal || !isLive(reversal)
  }
  return new Map([...reversals].filter(([, reversal]) => isLive(reversal)))
}

export const sumReceived = ({ lines }: Account, chargeId: string): number =>
  -sumDollars(
    lines
      .filter((line) => line.charge_id === chargeId && ['payment', 'refund'].includes(line.kind))
      .map(({ amount }) => amount),
  )

type AccountBalance = Pick<Balance, 'owed' | 'credit' | 'owed_since'>

export const toBalance = ({ balance, owed_since }: Account): AccountBalance => ({
  owed: Math.max(0, balance),
  credit: Math.max(0, -balance),
  owed_since,
})

const formatSince = (day: string, today: string) =>
  yearOf(day) === yearOf(today) ? MONTHS[monthOfDate(day).month] : formatMonthOfDate(day)

/** "Owes $170.00 since September" or "Credit $15.00". Empty if nothing is owed or paid ahead. */
export function describeBalance(balance: AccountBalance | undefined, today: string): string {
  if (!balance) return ''
  const { owed, credit, owed_since } = balance
  const sinceText = owed_since ? ` since ${formatSince(owed_since, today)}` : ''
  return joinNonEmpty(
    [
      owed > 0 && `Owes ${formatMoney(owed)}${sinceText}`,
      credit > 0 && `Credit ${formatMoney(credit)}`,
    ],
    ' · ',
  )
}

export const NOTHING_DUE = 'Nothing due'

export function describePaymentEffect(amount: number | undefined, owedAmount: number): string {
  if (!amount) return owedAmount > 0 ? `${formatMoney(owedAmount)} is owed.` : 'Nothing is owed.'
  const remainingCents = toCents(owedAmount) - toCents(amount)
  if (remainingCents > 0)
    return `Partial payment: ${formatMoney(toDollars(remainingCents))} still owed.`
  return remainingCents < 0
    ? `${formatMoney(toDollars(-remainingCents))} goes to credit.`
    : 'Pays everything owed.'
}

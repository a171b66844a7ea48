import type { Month } from '@tatami/contract/lib/calendar-day'
import { formatMoney, sumDollars } from '@tatami/contract/lib/money'
import type { QueryClient } from '@tanstack/react-query'
import { type Account, type LedgerLine, ledgerApi } from '@tatami/contract/ledger/ledger'
import type { PaymentRecord } from '@tatami/contract/ledger/payment-records'
import type { Student } from '@tatami/contract/students/students'
import { formatMonth } from '../lib/month.ts'
import { endpointQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'

export type PaymentStatus = PaymentRecord['payment_status']

/** The browser's alert (specification, section 8). */
export const MARK_FAILED = 'Failed to update payment status. Please try again.'

/** How many payments an act took back, and how much money. */
export function paymentsTakenBack(
  lines: readonly LedgerLine[],
  actId: string,
): { count: number; total: number } {
  const byId = new Map(lines.map((line) => [line.id, line]))
  const payments = lines.flatMap((line) => {
    const reversed = line.act_id === actId && line.reverses !== null && byId.get(line.reverses)
    return reversed && (reversed.kind === 'payment' || reversed.kind === 'credit') ? [reversed] : []
  })
  return {
    count: payments.length,
    total: sumDollars(payments.map(({ amount }) => Math.abs(amount))),
  }
}

/** What follows the name: "marked paid for May 2026", "marked unpaid, 1 payment, $85.00 taken back". */
export async function wordsOfMark(
  cache: QueryClient,
  student: Student,
  status: PaymentStatus,
  actId: string,
  /** Named where something older is owed, too. */
  month?: Month,
): Promise<string> {
  const words = `marked ${status}`
  if (status === 'paid') return month ? `${words} for ${formatMonth(month)}` : words
  const of = endpointQuery(ledgerApi.account, { params: { id: student.id } })
  const account: Account | null = await cache.query({ ...of, staleTime: 0 }).catch(() => null)
  const { count, total } = paymentsTakenBack(account?.lines ?? [], actId)
  return count > 0
    ? `${words}, ${pluralize(count, 'payment')}, ${formatMoney(total)} taken back`
    : words
}

import type { Month } from '@tatami/contract/lib/calendar-day'
import { formatMoney, sumDollars } from '@tatami/contract/lib/money'
import type { QueryClient } from '@tanstack/react-query'
import { type LedgerLine, ledgerApi } from '@tatami/contract/ledger/ledger'
import type { PaymentRecord } from '@tatami/contract/ledger/payment-records'
import type { Student } from '@tatami/contract/students/students'
import { ApiError } from '../lib/api.ts'
import { formatMonth } from '../lib/month.ts'
import { endpointQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'

export type PaymentStatus = PaymentRecord['payment_status']

/** Shown in the browser's alert (specification, section 8). */
const MARK_FAILED = 'Failed to update payment status. Please try again.'

/** The text of the alert. If the month is being paid online, it is the server's message. */
export const describeMarkFailure = (error: unknown): string => {
  const isPaidOnline =
    error instanceof ApiError && error.errors.some(({ field }) => field === 'even_if_on_its_way')
  return isPaidOnline ? error.message : MARK_FAILED
}

export function sumUndonePayments(lines: readonly LedgerLine[], actId: string) {
  const reversedIds = new Set(
    lines.filter(({ act_id }) => act_id === actId).map(({ reverses }) => reverses),
  )
  const payments = lines.filter(
    ({ id, kind }) => reversedIds.has(id) && (kind === 'payment' || kind === 'credit'),
  )
  return {
    count: payments.length,
    total: sumDollars(payments.map(({ amount }) => Math.abs(amount))),
  }
}

/** "marked paid for May 2026", "marked unpaid, 1 payment undone, $85.00" */
export async function describeMark(
  cache: QueryClient,
  student: Student,
  status: PaymentStatus,
  actId: string,
  month?: Month,
): Promise<string> {
  if (status === 'paid') return month ? `marked paid for ${formatMonth(month)}` : 'marked paid'
  const accountQuery = endpointQuery(ledgerApi.account, { params: { id: student.id } })
  const account = await cache.query({ ...accountQuery, staleTime: 0 }).catch(() => null)
  const { count, total } = sumUndonePayments(account?.lines ?? [], actId)
  if (count === 0) return 'marked unpaid'
  return `marked unpaid, ${pluralize(count, 'payment')} undone, ${formatMoney(total)}`
}

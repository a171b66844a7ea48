import { addDays } from '@tatami/contract/lib/calendar-day'
import { percentOf, toCents, toDollars } from '@tatami/contract/lib/money'
import type { ExpectedFee, PayerHome } from '@tatami/contract/online-payment/payer-home'
import type { MethodKind } from '@tatami/contract/online-payment/saved-methods'
import { and, count, eq, gte, isNotNull, sum } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'
import { todayOf } from '../../dojos/dojos.ts'
import { onlinePayments } from '../tables.ts'

/** Stripe's prices in the US, as of 2026, for schools that have not paid enough fees yet. */
const CARD_PERCENT = 2.9
const CARD_FEE_CENTS = 30
const BANK_PERCENT = 0.8
const MAX_BANK_FEE_CENTS = 500

const LIST_PRICES: Record<MethodKind, (cents: number) => number> = {
  card: (cents) => percentOf(cents, CARD_PERCENT) + CARD_FEE_CENTS,
  bank: (cents) => Math.min(percentOf(cents, BANK_PERCENT), MAX_BANK_FEE_CENTS),
}

const MEASURED_DAYS = 180
/** Fewer payments may be unusual ones. */
const MIN_PAYMENTS = 3

type PaidFees = {
  kind: MethodKind | null
  payments: number
  fees: string | null
  amounts: string | null
}

/** What Stripe has kept of recent payments by link and by autopay, by card and by bank account. */
async function readPaidFees(tx: Tx, dojoId: string): Promise<PaidFees[]> {
  const firstDay = addDays(await todayOf(tx, dojoId), 0 - MEASURED_DAYS)
  return tx
    .select({
      kind: onlinePayments.paid_by,
      payments: count(),
      fees: sum(onlinePayments.fee),
      amounts: sum(onlinePayments.amount),
    })
    .from(onlinePayments)
    .where(
      and(
        eq(onlinePayments.state, 'paid'),
        isNotNull(onlinePayments.fee),
        gte(onlinePayments.created_at, firstDay),
      ),
    )
    .groupBy(onlinePayments.paid_by)
}

function feeOf(kind: MethodKind, cents: number, paidFees: readonly PaidFees[]): ExpectedFee {
  const paidOfKind = paidFees.find((row) => row.kind === kind)
  const paidCents = Number(paidOfKind?.amounts ?? 0)
  if (!paidOfKind || paidOfKind.payments < MIN_PAYMENTS || paidCents === 0)
    return { amount: toDollars(LIST_PRICES[kind](cents)), is_measured: false }
  const share = Number(paidOfKind.fees ?? 0) / paidCents
  return { amount: toDollars(Math.round(cents * share)), is_measured: true }
}

/** What a payment of this amount costs the school: by its own recent payments if there are some,
 *  otherwise by Stripe's list prices. */
export async function expectFees(
  tx: Tx,
  dojoId: string,
  amount: number,
): Promise<PayerHome['fees']> {
  const paidFees = await readPaidFees(tx, dojoId)
  const cents = toCents(amount)
  return { card: feeOf('card', cents, paidFees), bank: feeOf('bank', cents, paidFees) }
}

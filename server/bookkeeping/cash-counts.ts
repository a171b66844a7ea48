import { sumDollars, toDollars } from '@tatami/contract/lib/money'
import type { CashDay, NewCashCount } from '@tatami/contract/bookkeeping/cash-counts'
import { PAYMENT_METHODS, type PaymentMethod } from '@tatami/contract/ledger/ledger'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { Member } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { ledgerLines } from '../ledger/tables.ts'
import { instructors } from '../sensei/tables.ts'
import { cashCounts } from './tables.ts'

type DayMoney = { received: number; given_back: number }

/** The money of a day and its cash count, by default of today. */
export async function cashDayOf(tx: Tx, dojoId: string, date?: string): Promise<CashDay> {
  const day = date ?? (await todayOf(tx, dojoId))
  const payments = await paymentsOn(tx, day)
  const methods = [...PAYMENT_METHODS, null].flatMap((method) => {
    const people = payments.filter((payment) => payment.method === method)
    return people.length > 0 ? [{ method, ...sumOf(people), people }] : []
  })
  return {
    date: day,
    methods,
    expected_cash: cashIn(payments),
    count: await countOf(tx, day),
  }
}

/** Replaces an earlier count of that day. */
export async function countCash(
  tx: Tx,
  caller: Member,
  day: string,
  { counted, note }: NewCashCount,
): Promise<CashDay> {
  const expected = cashIn(await paymentsOn(tx, day))
  const values = {
    counted,
    expected,
    note: note ?? null,
    counted_at: nowIso(),
    counted_by: caller.id,
  }
  await tx
    .insert(cashCounts)
    .values({ day, ...values })
    .onConflictDoUpdate({ target: [cashCounts.dojo_id, cashCounts.day], set: values })
  await auditAction(tx, caller, 'cash counted', { details: { date: day, counted, expected } })
  return cashDayOf(tx, caller.dojoId, day)
}

type PaymentsOfInstructor = DayMoney & { method: PaymentMethod | null; name: string | null }

const sumOfKind = (kind: 'payment' | 'refund') =>
  sql`coalesce(sum(${ledgerLines.amount}) filter (where ${ledgerLines.kind} = ${kind}), 0)::float8`

/** By method and instructor, in dollars. What is undone counts on the day of the undo. */
async function paymentsOn(tx: Tx, day: string): Promise<PaymentsOfInstructor[]> {
  return tx
    .select({
      method: ledgerLines.method,
      name: instructors.name,
      received: sumOfKind('payment').mapWith((cents: number) => toDollars(0 - cents)),
      given_back: sumOfKind('refund').mapWith(toDollars),
    })
    .from(ledgerLines)
    .leftJoin(instructors, eq(instructors.id, ledgerLines.created_by))
    .where(and(eq(ledgerLines.made_on, day), inArray(ledgerLines.kind, ['payment', 'refund'])))
    .groupBy(ledgerLines.method, instructors.name)
    .orderBy(sql`lower(${instructors.name}) nulls last`)
}

const sumOf = (payments: readonly DayMoney[]): DayMoney => ({
  received: sumDollars(payments.map(({ received }) => received)),
  given_back: sumDollars(payments.map(({ given_back }) => given_back)),
})

function cashIn(payments: readonly PaymentsOfInstructor[]): number {
  const { received, given_back } = sumOf(payments.filter(({ method }) => method === 'cash'))
  return sumDollars([received, -given_back])
}

async function countOf(tx: Tx, day: string): Promise<CashDay['count']> {
  const [count] = await tx
    .select({
      counted: cashCounts.counted,
      expected: cashCounts.expected,
      note: cashCounts.note,
      counted_at: cashCounts.counted_at,
      counted_by: instructors.name,
    })
    .from(cashCounts)
    .leftJoin(instructors, eq(instructors.id, cashCounts.counted_by))
    .where(eq(cashCounts.day, day))
  return count ? { ...count, difference: sumDollars([count.counted, -count.expected]) } : null
}

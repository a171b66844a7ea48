import { sumDollars, toDollars } from '@tatami/contract/lib/money'
import type { CashDay, NewCashCount } from '@tatami/contract/bookkeeping/cash-counts'
import { PAYMENT_METHODS, type PaymentMethod } from '@tatami/contract/ledger/ledger'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { ledgerLines } from '../ledger/tables.ts'
import { instructors } from '../sensei/tables.ts'
import { cashCounts } from './tables.ts'

type MoneySum = { received: number; given_back: number }

export async function readCashDay(tx: Tx, dojoId: string, date?: string): Promise<CashDay> {
  const day = date ?? (await todayOf(tx, dojoId))
  const instructorSums = await readInstructorSums(tx, day)
  const methods = [...PAYMENT_METHODS, null].map((method) => {
    const people = instructorSums.filter((sum) => sum.method === method)
    return { method, ...sumMoney(people), people }
  })
  return {
    date: day,
    methods: methods.filter(({ people }) => people.length > 0),
    expected_cash: sumCash(instructorSums),
    count: await readCount(tx, day),
  }
}

export async function countCash(
  tx: Tx,
  caller: DojoCaller,
  day: string,
  { counted, note }: NewCashCount,
): Promise<CashDay> {
  const expected = sumCash(await readInstructorSums(tx, day))
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
  return readCashDay(tx, caller.dojoId, day)
}

type InstructorSum = MoneySum & { method: PaymentMethod | null; name: string | null }

const sumLines = (kind: 'payment' | 'refund') =>
  sql`coalesce(sum(${ledgerLines.amount}) filter (where ${ledgerLines.kind} = ${kind}), 0)::float8`

/** Sums a day's money by method and instructor, in dollars. An undo counts on its own day. */
async function readInstructorSums(tx: Tx, day: string): Promise<InstructorSum[]> {
  return tx
    .select({
      method: ledgerLines.method,
      name: instructors.name,
      received: sumLines('payment').mapWith((cents: number) => toDollars(0 - cents)),
      given_back: sumLines('refund').mapWith(toDollars),
    })
    .from(ledgerLines)
    .leftJoin(instructors, eq(instructors.id, ledgerLines.created_by))
    .where(and(eq(ledgerLines.made_on, day), inArray(ledgerLines.kind, ['payment', 'refund'])))
    .groupBy(ledgerLines.method, instructors.name)
    .orderBy(sql`lower(${instructors.name}) nulls last`)
}

const sumMoney = (sums: readonly MoneySum[]): MoneySum => ({
  received: sumDollars(sums.map(({ received }) => received)),
  given_back: sumDollars(sums.map(({ given_back }) => given_back)),
})

function sumCash(sums: readonly InstructorSum[]): number {
  const { received, given_back } = sumMoney(sums.filter(({ method }) => method === 'cash'))
  return sumDollars([received, -given_back])
}

async function readCount(tx: Tx, day: string): Promise<CashDay['count']> {
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

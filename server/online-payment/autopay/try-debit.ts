import { addDays } from '@tatami/contract/lib/calendar-day'
import { toDollars } from '@tatami/contract/lib/money'
import { and, eq, gte, inArray, or, sql } from 'drizzle-orm'
import { newId } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import { dojoById } from '../../dojos/dojos.ts'
import { now, nowIso } from '../../lib/clock.ts'
import { firstRow, pluck } from '../../lib/rows.ts'
import { notifyStaff } from '../../notifications/notify.ts'
import type { OwedLine } from '../owed-lines.ts'
import { onlinePaymentLines, onlinePayments } from '../tables.ts'
import { totalCents } from './covered-lines.ts'
import type { AutopayRun, Debit } from './run.ts'
import type { SavedMethodRow } from './saved-methods.ts'
import { autopayDebits, savedMethods } from './tables.ts'

/** Visa charges a fee from the 15th try in 30 days with the same card and amount on. */
const MAX_TRIES_IN_30_DAYS = 14
const THIRTY_DAYS_MS = 30 * 24 * 3_600_000

type Try = { debit: Debit; method: SavedMethodRow; lines: readonly OwedLine[] }

/** Stores what is to be taken. The payment worker then asks Stripe to take it, and finds out what
 *  came of it if the answer gets lost. A method is never tried twice on a day. */
export async function tryDebit(tx: Tx, run: AutopayRun, { debit, method, lines }: Try) {
  if (await wasTriedToday(tx, run, method)) {
    await changeDebit(tx, debit, { next_try_on: addDays(run.today, 1) })
    return
  }
  if (await isTriedTooOften(tx, method, totalCents(lines))) {
    await changeDebit(tx, debit, { state: 'given_up', next_try_on: null })
    await notifyStaff(tx, run.dojoId, 'money.see', {
      title: 'Autopay has stopped trying',
      message: 'A card was declined too often for the same amount. Please ask the payer to pay.',
    })
    return
  }
  await insertTry(tx, run, { debit, method, lines })
  await changeDebit(tx, debit, {
    tries: debit.tries + 1,
    first_tried_on: debit.first_tried_on ?? run.today,
    next_try_on: null,
  })
}

const changeDebit = (tx: Tx, { id }: Debit, changes: Partial<Debit>) =>
  tx.update(autopayDebits).set(changes).where(eq(autopayDebits.id, id))

async function wasTriedToday(
  tx: Tx,
  { dojoId, today }: AutopayRun,
  method: SavedMethodRow,
): Promise<boolean> {
  const { time_zone } = await dojoById(tx, dojoId)
  const isToday = sql`(${onlinePayments.created_at} at time zone ${time_zone})::date = ${today}`
  const condition = and(
    inArray(onlinePayments.saved_method_id, await sameCards(tx, method)),
    isToday,
  )
  return (await tx.$count(onlinePayments, condition)) > 0
}

async function isTriedTooOften(tx: Tx, method: SavedMethodRow, cents: number): Promise<boolean> {
  const firstTime = new Date(now().getTime() - THIRTY_DAYS_MS).toISOString()
  const condition = and(
    inArray(onlinePayments.saved_method_id, await sameCards(tx, method)),
    eq(onlinePayments.amount, toDollars(cents)),
    gte(onlinePayments.created_at, firstTime),
  )
  return (await tx.$count(onlinePayments, condition)) >= MAX_TRIES_IN_30_DAYS
}

/** A card that was saved again is still the same to its bank. */
async function sameCards(tx: Tx, { id, fingerprint }: SavedMethodRow): Promise<string[]> {
  const rows = await tx
    .select({ id: savedMethods.id })
    .from(savedMethods)
    .where(
      or(
        eq(savedMethods.id, id),
        fingerprint === null ? undefined : eq(savedMethods.fingerprint, fingerprint),
      ),
    )
  return pluck(rows, 'id')
}

/** The state is `unknown` from the beginning, so that nobody can pay the same meanwhile. */
async function insertTry(
  tx: Tx,
  { payer, isLive }: AutopayRun,
  { debit, method, lines }: Try,
): Promise<void> {
  const payment = firstRow(
    await tx
      .insert(onlinePayments)
      .values({
        id: newId(),
        payer_id: payer.id,
        state: 'unknown',
        amount: toDollars(totalCents(lines)),
        is_live: isLive,
        attempt: 0,
        debit_id: debit.id,
        saved_method_id: method.id,
        next_check_at: nowIso(),
      })
      .returning({ id: onlinePayments.id }),
  )
  await tx.insert(onlinePaymentLines).values(
    lines.map(({ cents, ...line }) => ({
      ...line,
      payment_id: payment.id,
      amount: toDollars(cents),
    })),
  )
}

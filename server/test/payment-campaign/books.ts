/** Compares what Stripe has with what the schools have recorded. */
import { sql } from 'drizzle-orm'
import type { Stripe } from 'stripe'
import type { Database } from '../../db/database.ts'
import { nowIso } from '../../lib/clock.ts'
import { idOf, type Store } from '../stripe/store.ts'
import type { School } from './payers.ts'

type PaymentRow = {
  id: string
  state: string
  cents: number
  intent_id: string | null
  paid_twice: number
  /** What became credit when it was recorded in the ledger. */
  credit: number
  is_debit: boolean
  /** In how many seconds a server asks Stripe about it. */
  due_in: number
}

const readPayments = async (db: Database, { dojoId }: School): Promise<PaymentRow[]> => {
  const { rows } = await db.inDojo(dojoId, (tx) =>
    tx.execute<PaymentRow>(sql`
      select p.id, p.state, p.amount as cents, p.intent_id, p.paid_twice,
        p.debit_id is not null as is_debit,
        coalesce((select 0 - sum(own.amount) from ledger_lines own
          where own.act_id = p.act_id and own.charge_id is null), 0)::int as credit,
        extract(epoch from p.next_check_at - ${nowIso()}::timestamptz)::int as due_in
      from online_payments p`),
  )
  return rows
}

const readNumber = async (db: Database, { dojoId }: School, query: ReturnType<typeof sql>) => {
  const { rows } = await db.inDojo(dojoId, (tx) =>
    tx.execute<{ value: number | string | null }>(query),
  )
  return Number(rows[0]?.value ?? 0)
}

const paymentIdOf = ({ metadata }: Stripe.PaymentIntent): string => metadata['payment_id'] ?? ''

/** The state in which a payment should be, after Stripe has said how it went. */
function expectedState({ status }: Stripe.PaymentIntent): string | null {
  if (status === 'succeeded') return 'paid'
  return status === 'processing' ? 'processing' : null
}

/** The payments and refunds that the servers do not know about yet, as Stripe knows it. */
export async function listUnsettled(
  db: Database,
  store: Store,
  schools: readonly School[],
): Promise<string[]> {
  const intents = Map.groupBy(store.payment_intent.values(), paymentIdOf)
  const unsettledPayments: string[] = []
  for (const school of schools) {
    for (const { id, state, is_debit, due_in } of await readPayments(db, school)) {
      const expectedStates = (intents.get(id) ?? []).flatMap(
        (intent) => expectedState(intent) ?? [],
      )
      const isKnown = expectedStates.every((expected) => expected === state)
      const isStale = state === 'processing' && expectedStates.length === 0
      if (state === 'unknown' || !isKnown || isStale)
        unsettledPayments.push(
          `${is_debit ? 'autopay' : 'checkout'} ${id}: ${state}, Stripe: ` +
            `${expectedStates.join() || 'nothing'}, next check in ${due_in} s`,
        )
    }
    const refundCount = await readNumber(
      db,
      school,
      sql`select count(*)::int as value from online_refunds where state = 'sending'`,
    )
    if (refundCount > 0) unsettledPayments.push(`${refundCount} refunds: sending`)
  }
  return unsettledPayments
}

type PaidPart = {
  payment_id: string
  student_id: string
  /** What the payment brought beyond what was owed for its charge. */
  excess: number
  /** What paid the same charge in another way while the payer was paying it. */
  explained: number
}

/**
 * Each paid part of each online payment. Cash, credit, and a refund that came back explain as many
 * cents as they paid of the same charge while the payment was open. Another online payment explains
 * nothing. A line may have been stored some seconds before, in a transaction that ended later.
 */
async function readPaidParts(db: Database, { dojoId }: School): Promise<PaidPart[]> {
  const { rows } = await db.inDojo(dojoId, (tx) =>
    tx.execute<PaidPart>(sql`
      with parts as (
        select p.id as payment_id, p.act_id, p.created_at, p.paid_at, l.student_id, l.amount,
          coalesce(l.charge_id, (select c.id from charges c
            where c.student_id = l.student_id and c.kind = 'month'
              and c.year || '-' || c.month = l.pays_for)) as charge_id
        from online_payments p join online_payment_lines l on l.payment_id = p.id
        where p.state = 'paid')
      select payment_id, student_id,
        amount + coalesce((select sum(own.amount) from ledger_lines own
          where own.act_id = parts.act_id and own.charge_id = parts.charge_id
            and own.kind = 'payment'), 0)::int as excess,
        coalesce((select 0 - sum(other.amount) from ledger_lines other
          where other.charge_id = parts.charge_id and other.act_id <> parts.act_id
            and other.created_at between parts.created_at - interval '10 seconds'
              and parts.paid_at
            and other.kind <> 'charge' and other.amount < 0
            and not (other.kind = 'payment' and other.method = 'online')), 0)::int as explained
      from parts`),
  )
  return rows
}

/** Payments that brought money twice, without a reason. */
async function auditPaidTwice(db: Database, school: School): Promise<string[]> {
  const faults: string[] = []
  const parts = await readPaidParts(db, school)
  for (const { payment_id, student_id, excess, explained } of parts) {
    if (excess <= Math.max(0, explained)) continue
    const lines = await describeLedger(db, school, [student_id])
    faults.push(
      `${payment_id} was paid twice, ${excess} cents (explained: ${explained}):\n${lines}`,
    )
  }
  for (const { id, state, paid_twice, credit } of await readPayments(db, school))
    if (state === 'paid' && credit !== paid_twice)
      faults.push(`${id} says that ${paid_twice} were paid twice, the ledger says ${credit}`)
  return faults
}

/** Refunds about which Stripe says something else than the school. */
async function auditRefunds(db: Database, store: Store, { dojoId }: School): Promise<string[]> {
  const { rows } = await db.inDojo(dojoId, (tx) =>
    tx.execute<{ id: string; state: string; stripe_id: string | null; refresh_in: number | null }>(
      sql`select r.id, r.state, r.stripe_id,
          extract(epoch from p.refresh_at - ${nowIso()}::timestamptz)::int as refresh_in
        from online_refunds r join online_payments p on p.id = r.payment_id`,
    ),
  )
  return rows.flatMap(({ id, state, stripe_id, refresh_in }) => {
    const status = store.refund.get(stripe_id ?? '')?.status ?? 'none'
    const hasFailed = status === 'failed' || status === 'none'
    if (hasFailed === (state === 'failed')) return []
    return [`refund ${id}: ${state}, Stripe: ${status}, next look in ${refresh_in} s`]
  })
}

/** Every line of some students, oldest first, to find the cause of a fault. */
async function describeLedger(
  db: Database,
  { dojoId }: School,
  studentIds: readonly string[],
): Promise<string> {
  const { rows } = await db.inDojo(dojoId, (tx) =>
    tx.execute(sql`
      select student_id, charge_id, act_id, kind, method, amount, created_at from ledger_lines
      where student_id = any(${sql.param(studentIds)}) order by id`),
  )
  return rows.map((row) => Object.values(row).join(' ')).join('\n')
}

/** In how many schools autopay has run on a day. */
export async function countAutopayRuns(
  db: Database,
  schools: readonly School[],
  day: string,
): Promise<number> {
  let count = 0
  for (const school of schools)
    count += await readNumber(
      db,
      school,
      sql`select count(*)::int as value from job_runs where job = 'autopay' and day = ${day}`,
    )
  return count
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

/** The faults in the books, and what was counted. */
export async function auditBooks(db: Database, store: Store, schools: readonly School[]) {
  const faults: string[] = []
  const totals = { intents: 0, paid: 0, debits: 0, refunds: 0, cents: 0, declined: 0, expired: 0 }
  const intents = [...store.payment_intent.values()]
  const payments = (await Promise.all(schools.map((school) => readPayments(db, school)))).flat()
  const paymentById = new Map(payments.map((payment) => [payment.id, payment]))
  for (const intent of intents) {
    const payment = paymentById.get(paymentIdOf(intent))
    if (!payment) faults.push(`${intent.id} has no row`)
    else if (intent.status !== 'succeeded') continue
    else if (payment.state !== 'paid')
      faults.push(`${intent.id} was paid, its row is ${payment.state}`)
    else if (payment.intent_id !== intent.id) faults.push(`${payment.id} was paid by two intents`)
    else if (payment.cents !== intent.amount) faults.push(`${payment.id} has another amount`)
  }
  for (const { id, state, intent_id } of payments) {
    const intent = store.payment_intent.get(intent_id ?? '')
    // A bank debit may have begun today.
    const isOnItsWay = state === 'processing' && intent?.status === 'processing'
    if (['open', 'processing', 'unknown'].includes(state) && !isOnItsWay)
      faults.push(`${id} is still ${state}`)
    if (state === 'paid' && intent?.status !== 'succeeded') faults.push(`${id} took no money`)
  }
  for (const school of schools) faults.push(...(await auditPaidTwice(db, school)))
  for (const school of schools) faults.push(...(await auditRefunds(db, store, school)))
  for (const school of schools) faults.push(...(await auditLedger(db, store, school)))
  totals.intents = intents.length
  totals.paid = payments.filter(({ state }) => state === 'paid').length
  totals.debits = payments.filter(({ state, is_debit }) => state === 'paid' && is_debit).length
  totals.declined = payments.filter(({ state }) => state === 'declined').length
  totals.expired = payments.filter(({ state }) => state === 'expired').length
  totals.refunds = store.refund.size
  totals.cents = sum(
    intents.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount),
  )
  return { faults, totals }
}

/** Money taken at Stripe = payments in the ledger + refunds, and no charge is paid twice. */
async function auditLedger(db: Database, store: Store, school: School): Promise<string[]> {
  const faults: string[] = []
  const payments = await readPayments(db, school)
  const ownIntents = new Set(payments.flatMap(({ intent_id }) => intent_id ?? []))
  const takenCents = sum(
    [...store.payment_intent.values()]
      .filter(({ id, status }) => status === 'succeeded' && ownIntents.has(id))
      .map(({ amount }) => amount),
  )
  const refunds = [...store.refund.values()].filter(({ payment_intent }) =>
    ownIntents.has(idOf(payment_intent) ?? ''),
  )
  const refundedCents = sum(
    refunds.filter(({ status }) => status !== 'failed').map(({ amount }) => amount),
  )
  const ledgerCents = await readNumber(
    db,
    school,
    sql`select 0 - sum(amount) as value from ledger_lines
      where kind in ('payment', 'refund') and method is distinct from 'cash'`,
  )
  if (ledgerCents !== takenCents - refundedCents)
    faults.push(`The ledger has ${ledgerCents}, Stripe ${takenCents} - ${refundedCents}`)
  const recordedRefundCents = await readNumber(
    db,
    school,
    sql`select sum(amount) as value from online_refunds where state <> 'failed'`,
  )
  if (recordedRefundCents !== refundedCents)
    faults.push(`The school has refunded ${recordedRefundCents}, Stripe ${refundedCents}`)
  const overpaidCount = await readNumber(
    db,
    school,
    sql`select count(*)::int as value from (select charge_id from ledger_lines
      where charge_id is not null group by charge_id having sum(amount) < 0) c`,
  )
  if (overpaidCount > 0) faults.push(`${overpaidCount} charges are paid more than once`)
  const doubleTryCount = await readNumber(
    db,
    school,
    sql`select count(*)::int as value from (
      select saved_method_id from online_payments where saved_method_id is not null
      group by saved_method_id, (created_at at time zone 'America/Chicago')::date
      having count(*) > 1) t`,
  )
  if (doubleTryCount > 0) faults.push(`${doubleTryCount} cards were tried twice on a day`)
  return faults
}

/** Each day at 10:00, autopay takes what is due, tries again what was declined, and tells payers
 *  what comes next. The payment worker then carries out what this has stored. */
import { addDays } from '@tatami/contract/lib/calendar-day'
import { formatMoneyInText, toDollars } from '@tatami/contract/lib/money'
import type { DebitState } from '@tatami/contract/online-payment/autopay-states'
import { NOTICE_DAYS } from '@tatami/contract/online-payment/autopay-words'
import { lastDebitDay } from '@tatami/contract/online-payment/debit-days'
import { and, asc, eq, gt, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { equalsAny } from '../../db/bulk.ts'
import { newId } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import type { Email } from '../../lib/mail.ts'
import { pick, pluck } from '../../lib/rows.ts'
import { paymentPromises } from '../../ledger/tables.ts'
import { MIN_CENTS } from '../amounts.ts'
import { lineKey } from '../live-lines.ts'
import { insertPayLink } from '../pay-links.ts'
import { lockPayer, type Payer } from '../payers.ts'
import { findUsableAccount } from '../stripe-account.ts'
import { onlinePaymentLines, onlinePayments } from '../tables.ts'
import { type Agreement, endAutopay } from './agreements.ts'
import { findCoveredStudents, readCoveredLines, totalCents } from './covered-lines.ts'
import { tellAboutExpiry } from './expiry.ts'
import { announceDebit, announcedFrom, announceNextDebit, firstDebitDay } from './notices.ts'
import { tellPayer } from './payer-messages.ts'
import { findLiveMethod } from './saved-methods.ts'
import { autopayAgreements, autopayDebits } from './tables.ts'
import { tryDebit } from './try-debit.ts'

export type AutopayRun = {
  dojoId: string
  agreement: Agreement
  payer: Payer
  today: string
  publicUrl: string
  isLive: boolean
}

export type Debit = typeof autopayDebits.$inferSelect

/** The dojos in which somebody pays by autopay. */
export const dojosWithAutopay = (): SQL => sql`
  select ${autopayAgreements.dojo_id} from ${autopayAgreements}
  where ${autopayAgreements.ended_at} is null`

export async function runAutopay(
  tx: Tx,
  dojoId: string,
  today: string,
  publicUrl: string,
): Promise<Email[]> {
  // A restored or copied database never charges anybody.
  const account = await findUsableAccount(tx, publicUrl)
  if (!account) return []
  const agreements = await tx
    .select()
    .from(autopayAgreements)
    .where(isNull(autopayAgreements.ended_at))
    .orderBy(asc(autopayAgreements.id))
  const emails: Email[] = []
  for (const agreement of agreements) {
    const payer = await lockPayer(tx, agreement.payer_id)
    // What was agreed with a test key is not for real money, and the other way around.
    if (!payer || payer.customer_is_live === !account.is_live) continue
    const run = { dojoId, agreement, payer, today, publicUrl, isLive: account.is_live }
    emails.push(...(await runAgreement(tx, run)))
  }
  return emails
}

async function runAgreement(tx: Tx, run: AutopayRun): Promise<Email[]> {
  const { dojoId, agreement, payer } = run
  if ((await findCoveredStudents(tx, payer, agreement)).length === 0) {
    const { emails } = await endAutopay(tx, dojoId, payer, { reason: 'no_students', way: 'server' })
    return emails
  }
  return [
    ...(await tellAboutExpiry(tx, run)),
    ...(await retryDebits(tx, run)),
    ...(await beginDueDebit(tx, run)),
    ...(await announceNextDebit(tx, run)),
  ]
}

/** The latest day up to today on which something is due: the day of the month, or a day until
 *  which somebody has promised to pay. */
async function findDueDay(tx: Tx, run: AutopayRun): Promise<string | null> {
  const { agreement, payer, today } = run
  const firstDay = await firstDebitDay(tx, run)
  const debitDay = lastDebitDay(agreement.day_of_month, today)
  const coveredStudents = await findCoveredStudents(tx, payer, agreement)
  const promises = await tx
    .select({ promised_on: paymentPromises.promised_on })
    .from(paymentPromises)
    .where(
      and(
        equalsAny(paymentPromises.student_id, pluck(coveredStudents, 'id')),
        isNull(paymentPromises.ended_at),
        gt(paymentPromises.promised_on, debitDay),
        lte(paymentPromises.promised_on, today),
      ),
    )
  const dueDays = [debitDay, ...pluck(promises, 'promised_on')].filter((day) => day >= firstDay)
  return dueDays.toSorted().at(-1) ?? null
}

async function beginDueDebit(tx: Tx, run: AutopayRun): Promise<Email[]> {
  const { agreement } = run
  const dueDay = await findDueDay(tx, run)
  if (dueDay === null) return []
  const newDebits = await tx
    .insert(autopayDebits)
    .values({ id: newId(), agreement_id: agreement.id, due_on: dueDay, state: 'open' })
    .onConflictDoNothing()
    .returning()
  const [debit] = newDebits
  return debit ? attemptDebit(tx, run, debit) : []
}

/** Only what the debit was for from the beginning: a month that is due meanwhile is a debit of its
 *  own. */
async function retryDebits(tx: Tx, run: AutopayRun): Promise<Email[]> {
  const dueDebits = await tx
    .select()
    .from(autopayDebits)
    .where(
      and(
        eq(autopayDebits.agreement_id, run.agreement.id),
        eq(autopayDebits.state, 'open'),
        lte(autopayDebits.next_try_on, run.today),
      ),
    )
    .orderBy(asc(autopayDebits.due_on))
  const emails: Email[] = []
  for (const debit of dueDebits) emails.push(...(await attemptDebit(tx, run, debit)))
  return emails
}

async function attemptDebit(tx: Tx, run: AutopayRun, debit: Debit): Promise<Email[]> {
  const { dojoId, agreement, payer, today } = run
  const coveredLines = await readCoveredLines(tx, dojoId, payer, agreement, today)
  const { leftOutLines } = coveredLines
  if (coveredLines.isBeingPaid) return postponeDebit(tx, debit, addDays(today, 1))
  const triedKeys = await readTriedKeys(tx, debit)
  const lines = triedKeys
    ? coveredLines.lines.filter((line) => triedKeys.has(lineKey(line)))
    : coveredLines.lines
  if (totalCents(lines) < MIN_CENTS) return endDebit(tx, debit, 'nothing_owed')
  const amount = toDollars(totalCents(lines))
  if (agreement.limit_amount !== null && amount > agreement.limit_amount)
    return [
      ...(await endDebit(tx, debit, 'over_limit')),
      ...(await tellAboutTrouble(tx, run, OVER_LIMIT, amount)),
    ]
  const firstDay = await announcedFrom(tx, run, debit.due_on, lines)
  if (firstDay === null) {
    const debitDay = addDays(today, NOTICE_DAYS)
    await postponeDebit(tx, debit, debitDay)
    return announceDebit(tx, run, { debitDay, lines, leftOutLines })
  }
  if (firstDay > today) return postponeDebit(tx, debit, firstDay)
  const method = await findLiveMethod(tx, payer.id, run.isLive)
  if (!method)
    return [
      ...(await endDebit(tx, debit, 'needs_method')),
      ...(await tellAboutTrouble(tx, run, NO_METHOD, amount)),
    ]
  await tryDebit(tx, run, { debit, method, lines })
  return []
}

const OVER_LIMIT = 'That is more than the limit you set, so nothing was charged.'
const NO_METHOD = 'There is no card or bank account to charge. Please add one on your home page.'

async function tellAboutTrouble(
  tx: Tx,
  { dojoId, payer, publicUrl }: AutopayRun,
  reason: string,
  amount: number,
): Promise<Email[]> {
  const link = await insertPayLink(tx, dojoId, payer.id, publicUrl)
  const { emails } = await tellPayer(tx, dojoId, payer, {
    title: 'Autopay did not pay',
    message: `You owe ${formatMoneyInText(amount)}. ${reason}`,
    mailOnly: `Pay here: ${link}`,
  })
  return emails
}

async function postponeDebit(tx: Tx, { id }: Debit, day: string): Promise<[]> {
  await tx.update(autopayDebits).set({ next_try_on: day }).where(eq(autopayDebits.id, id))
  return []
}

async function endDebit(tx: Tx, { id }: Debit, state: DebitState): Promise<[]> {
  await tx.update(autopayDebits).set({ state, next_try_on: null }).where(eq(autopayDebits.id, id))
  return []
}

/** What the first try was for. Null if there was none. */
async function readTriedKeys(tx: Tx, { id }: Debit): Promise<ReadonlySet<string> | null> {
  const rows = await tx
    .select(pick(onlinePaymentLines, 'student_id', 'pays_for'))
    .from(onlinePaymentLines)
    .innerJoin(onlinePayments, eq(onlinePayments.id, onlinePaymentLines.payment_id))
    .where(eq(onlinePayments.debit_id, id))
  return rows.length === 0 ? null : new Set(rows.map(lineKey))
}

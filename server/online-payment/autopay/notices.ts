import { addDays, daysBetween } from '@tatami/contract/lib/calendar-day'
import { formatMoneyInText, toCents, toDollars } from '@tatami/contract/lib/money'
import { NOTICE_DAYS } from '@tatami/contract/online-payment/autopay-words'
import { nextDebitDay } from '@tatami/contract/online-payment/debit-days'
import type { NoticeReason, NoticeWay } from '@tatami/contract/online-payment/autopay-states'
import { and, between, desc, eq, inArray, isNotNull } from 'drizzle-orm'
import { newId } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import { todayIn } from '../../dojos/calendar.ts'
import { dojoById } from '../../dojos/dojos.ts'
import { nowIso } from '../../lib/clock.ts'
import { formatShortDay } from '../../lib/format-day.ts'
import type { Email } from '../../lib/mail.ts'
import { MIN_CENTS } from '../amounts.ts'
import { lineKey } from '../live-lines.ts'
import type { OwedLine } from '../owed-lines.ts'
import { onlinePayments } from '../tables.ts'
import type { Agreement } from './agreements.ts'
import { expectLines, hasSeveralMonths, totalCents } from './covered-lines.ts'
import { tellPayer } from './payer-messages.ts'
import { textPayer } from './payer-texts.ts'
import { stopNote } from './stop-links.ts'
import { chargeNotices } from './tables.ts'
import type { AutopayRun } from './run.ts'

type Notice = typeof chargeNotices.$inferSelect
export type NoticeContext = Omit<AutopayRun, 'isLive'>
type ExpectedDebit = {
  debitDay: string
  lines: readonly OwedLine[]
  /** What is owed, too, but was paid once, so that autopay leaves it out. */
  leftOutLines: readonly OwedLine[]
}

/** The latest notice about a debit on one of these days. */
async function findNotice(
  tx: Tx,
  agreementId: string,
  [firstDay, lastDay]: [string, string],
): Promise<Notice | null> {
  const [notice] = await tx
    .select()
    .from(chargeNotices)
    .where(
      and(
        eq(chargeNotices.agreement_id, agreementId),
        between(chargeNotices.debit_on, firstDay, lastDay),
      ),
    )
    .orderBy(desc(chargeNotices.sent_at), desc(chargeNotices.id))
    .limit(1)
  return notice ?? null
}

/** What autopay took last from the payer, in cents. */
async function readLastDebitCents(tx: Tx, payerId: string): Promise<number | null> {
  const [payment] = await tx
    .select({ amount: onlinePayments.amount })
    .from(onlinePayments)
    .where(
      and(
        eq(onlinePayments.payer_id, payerId),
        inArray(onlinePayments.state, ['paid', 'processing']),
        isNotNull(onlinePayments.debit_id),
      ),
    )
    .orderBy(desc(onlinePayments.created_at))
    .limit(1)
  return payment ? toCents(payment.amount) : null
}

/** Whether the payer must be told before this debit: the first one, another amount than last time,
 *  and several months at once. */
async function needsNotice(
  tx: Tx,
  payerId: string,
  lines: readonly OwedLine[],
): Promise<NoticeReason | null> {
  const lastCents = await readLastDebitCents(tx, payerId)
  if (lastCents === null) return 'first'
  return lastCents !== totalCents(lines) || hasSeveralMonths(lines) ? 'changed' : null
}

const covers = ({ amount, pays_for }: Notice, lines: readonly OwedLine[]): boolean =>
  totalCents(lines) <= toCents(amount) && lines.every((line) => pays_for.includes(lineKey(line)))

/**
 * The day from which the payer has known of a debit for long enough, or null if they must be told
 * first. A smaller one than last time needs no notice, because something was paid otherwise.
 */
export async function announcedFrom(
  tx: Tx,
  { agreement, payer, today }: NoticeContext,
  dueDay: string,
  lines: readonly OwedLine[],
): Promise<string | null> {
  const notice = await findNotice(tx, agreement.id, [dueDay, today])
  if (notice && covers(notice, lines)) return addDays(notice.sent_on, NOTICE_DAYS)
  if (notice || hasSeveralMonths(lines)) return null
  const lastCents = await readLastDebitCents(tx, payer.id)
  return lastCents !== null && totalCents(lines) <= lastCents ? dueDay : null
}

/** Tells the payer about a coming debit, unless they know. */
export async function announceDebit(
  tx: Tx,
  context: NoticeContext,
  expectedDebit: ExpectedDebit,
): Promise<Email[]> {
  const { agreement, payer } = context
  const { debitDay, lines } = expectedDebit
  const notice = await findNotice(tx, agreement.id, [debitDay, debitDay])
  if (notice && covers(notice, lines)) return []
  const reason = await needsNotice(tx, payer.id, lines)
  return reason === null ? [] : sendNotice(tx, context, expectedDebit, reason)
}

/** The first day on which an agreement allows a debit, which leaves time for a notice. */
export async function firstDebitDay(
  tx: Tx,
  { dojoId, agreement }: Pick<NoticeContext, 'dojoId' | 'agreement'>,
): Promise<string> {
  const { time_zone } = await dojoById(tx, dojoId)
  const agreedOn = todayIn(time_zone, new Date(agreement.agreed_at))
  return nextDebitDay(agreement.day_of_month, addDays(agreedOn, NOTICE_DAYS))
}

/** Tells the payer about the next debit, if it is only a few days away. */
export async function announceNextDebit(tx: Tx, context: NoticeContext): Promise<Email[]> {
  const { dojoId, agreement, payer, today } = context
  const tomorrow = addDays(today, 1)
  const firstDay = await firstDebitDay(tx, context)
  const debitDay = nextDebitDay(agreement.day_of_month, firstDay > tomorrow ? firstDay : tomorrow)
  if (daysBetween(today, debitDay) > NOTICE_DAYS) return []
  const expectedLines = await expectLines(tx, dojoId, payer, agreement, { today, debitDay })
  return totalCents(expectedLines.lines) < MIN_CENTS
    ? []
    : announceDebit(tx, context, { debitDay, ...expectedLines })
}

const WHY: Record<NoticeReason, string> = {
  first: 'This is the first payment.',
  changed: 'The amount differs from the last one.',
}

/** What will happen on the day of a debit, which waits until the payer has known of it for three
 *  days. */
function describePlan(
  { limit_amount: limit }: Agreement,
  { debitDay, lines }: ExpectedDebit,
  today: string,
): { plan: string; isOverLimit: boolean } {
  const amount = toDollars(totalCents(lines))
  const firstDay = addDays(today, NOTICE_DAYS)
  const day = formatShortDay(debitDay > firstDay ? debitDay : firstDay)
  if (limit === null || amount <= limit)
    return { plan: `On ${day}, autopay pays ${formatMoneyInText(amount)}`, isOverLimit: false }
  return {
    plan:
      `On ${day}, you owe ${formatMoneyInText(amount)}, which is more than your limit of ` +
      `${formatMoneyInText(limit)}. Unless you pay a part before, autopay charges nothing`,
    isOverLimit: true,
  }
}

const listItems = (lines: readonly OwedLine[]): string =>
  lines.map(({ name, cents }) => `${name}: ${formatMoneyInText(toDollars(cents))}`).join('\n')

const leftOutNote = (lines: readonly OwedLine[]): string =>
  lines.length === 0
    ? ''
    : '\n\nAutopay leaves out what was paid before and is owed again. You can pay it on your ' +
      `home page:\n${listItems(lines)}`

/** Says how much, why, when, and how to stop. */
async function sendNotice(
  tx: Tx,
  { dojoId, agreement, payer, today, publicUrl }: NoticeContext,
  expectedDebit: ExpectedDebit,
  reason: NoticeReason,
): Promise<Email[]> {
  const { debitDay, lines, leftOutLines } = expectedDebit
  const { plan, isOverLimit } = describePlan(agreement, expectedDebit, today)
  const why = isOverLimit ? 'You can raise the limit on your home page.' : WHY[reason]
  const { emails, ways } = await tellPayer(tx, dojoId, payer, {
    title: 'Coming autopay payment',
    message: `${plan}. ${why} It is for:\n${listItems(lines)}${leftOutNote(leftOutLines)}`,
    mailOnly: stopNote(publicUrl, dojoId, agreement.id),
  })
  const sentWays: NoticeWay[] = [...ways]
  const text = `${plan} for {name}. Ask your school to stop it.`
  if (ways.length === 0 && (await textPayer(tx, dojoId, payer, text))) sentWays.push('text')
  await tx.insert(chargeNotices).values({
    id: newId(),
    agreement_id: agreement.id,
    debit_on: debitDay,
    amount: toDollars(totalCents(lines)),
    pays_for: lines.map(lineKey),
    reason,
    ways: sentWays,
    sent_on: today,
    sent_at: nowIso(),
  })
  return emails
}

import { addDays } from '@tatami/contract/lib/calendar-day'
import { formatMoneyInText, toCents, toDollars } from '@tatami/contract/lib/money'
import { NOTICE_DAYS } from '@tatami/contract/online-payment/autopay-words'
import type { NoticeReason, NoticeWay } from '@tatami/contract/online-payment/autopay-states'
import { and, between, desc, eq, inArray, isNotNull } from 'drizzle-orm'
import { newId } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import { nowIso } from '../../lib/clock.ts'
import { formatShortDay } from '../../lib/format-day.ts'
import type { Email } from '../../lib/mail.ts'
import { lineKey } from '../live-lines.ts'
import type { OwedLine } from '../owed-lines.ts'
import { onlinePayments } from '../tables.ts'
import { hasSeveralMonths, totalCents } from './covered-lines.ts'
import { tellPayer } from './payer-messages.ts'
import { textPayer } from './payer-texts.ts'
import { stopNote } from './stop-links.ts'
import { chargeNotices } from './tables.ts'
import type { AutopayRun } from './run.ts'

type Notice = typeof chargeNotices.$inferSelect
type ExpectedDebit = { debitDay: string; lines: readonly OwedLine[] }

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
  { agreement, payer, today }: AutopayRun,
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
  run: AutopayRun,
  expectedDebit: ExpectedDebit,
): Promise<Email[]> {
  const { agreement, payer } = run
  const { debitDay, lines } = expectedDebit
  const notice = await findNotice(tx, agreement.id, [debitDay, debitDay])
  if (notice && covers(notice, lines)) return []
  const reason = await needsNotice(tx, payer.id, lines)
  return reason === null ? [] : sendNotice(tx, run, expectedDebit, reason)
}

/** Says how much, why, when, and how to stop. */
export async function sendNotice(
  tx: Tx,
  { dojoId, agreement, payer, today, publicUrl }: AutopayRun,
  { debitDay, lines }: ExpectedDebit,
  reason: NoticeReason,
): Promise<Email[]> {
  const amount = formatMoneyInText(toDollars(totalCents(lines)))
  const items = lines.map(({ name, cents }) => `${name}: ${formatMoneyInText(toDollars(cents))}`)
  const why =
    reason === 'first' ? 'This is the first payment.' : 'The amount differs from the last one.'
  const message = `On ${formatShortDay(debitDay)}, autopay pays ${amount}. ${why} It is for:\n${items.join('\n')}`
  const { emails, ways } = await tellPayer(tx, dojoId, payer, {
    title: 'Coming autopay payment',
    message,
    mailOnly: stopNote(publicUrl, dojoId, agreement.id),
  })
  const sentWays: NoticeWay[] = [...ways]
  if (ways.length === 0 && (await textPayer(tx, dojoId, payer, noticeText(debitDay, amount))))
    sentWays.push('text')
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

const noticeText = (debitDay: string, amount: string): string =>
  `On ${formatShortDay(debitDay)}, autopay pays ${amount} for {name}. Ask your school to stop it.`

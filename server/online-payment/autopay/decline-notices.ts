import { formatMoneyInText, toDollars } from '@tatami/contract/lib/money'
import { asc, eq } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'
import { minuteIn } from '../../dojos/calendar.ts'
import { dojoById } from '../../dojos/dojos.ts'
import type { Email } from '../../lib/mail.ts'
import { lineKey, readPendingMoney } from '../live-lines.ts'
import { insertPayLink } from '../pay-links.ts'
import { lockPayer } from '../payers.ts'
import { readOwedLines } from '../owed-lines.ts'
import { totalCents } from './covered-lines.ts'
import { tellPayer } from './payer-messages.ts'
import { textPayer } from './payer-texts.ts'
import { autopayAgreements, autopayDebits } from './tables.ts'

/** No texts between 9 PM and 8 AM. */
const QUIET_FROM_MINUTE = 21 * 60
const QUIET_UNTIL_MINUTE = 8 * 60

export async function findDojosWithDeclineNotices(overseerTx: Tx): Promise<string[]> {
  const rows = await overseerTx
    .selectDistinct({ dojo_id: autopayDebits.dojo_id })
    .from(autopayDebits)
    .where(eq(autopayDebits.awaits_text, true))
  return rows.map(({ dojo_id }) => dojo_id)
}

/** Tells payers that a payment was declined, after the first and the last try. */
export async function sendDeclineNotices(
  tx: Tx,
  dojoId: string,
  publicUrl: string,
): Promise<Email[]> {
  const { time_zone } = await dojoById(tx, dojoId)
  const minute = minuteIn(time_zone)
  if (minute < QUIET_UNTIL_MINUTE || minute >= QUIET_FROM_MINUTE) return []
  const rows = await tx
    .select({ debit: autopayDebits, payerId: autopayAgreements.payer_id })
    .from(autopayDebits)
    .innerJoin(autopayAgreements, eq(autopayAgreements.id, autopayDebits.agreement_id))
    .where(eq(autopayDebits.awaits_text, true))
    .orderBy(asc(autopayDebits.id))
    .for('no key update', { of: autopayDebits })
  const emails: Email[] = []
  for (const { debit, payerId } of rows) {
    const { id, texts } = debit
    await tx
      .update(autopayDebits)
      .set({ awaits_text: false, texts: texts + 1 })
      .where(eq(autopayDebits.id, id))
    emails.push(...(await tellAboutDecline(tx, dojoId, payerId, { debit, publicUrl })))
  }
  return emails
}

type DeclinedDebit = { debit: typeof autopayDebits.$inferSelect; publicUrl: string }

/** Never says why: the bank may suspect fraud or theft. */
async function tellAboutDecline(
  tx: Tx,
  dojoId: string,
  payerId: string,
  { debit, publicUrl }: DeclinedDebit,
): Promise<Email[]> {
  const payer = await lockPayer(tx, payerId)
  if (!payer) return []
  const pendingMoney = await readPendingMoney(tx, payer)
  const owedLines = await readOwedLines(tx, dojoId, payer)
  const cents = totalCents(owedLines.filter((line) => !pendingMoney.keys.has(lineKey(line))))
  if (cents === 0) return []
  const { name: school } = await dojoById(tx, dojoId)
  const amount = formatMoneyInText(toDollars(cents))
  const link = await insertPayLink(tx, dojoId, payer.id, publicUrl)
  const text = `${school}: your autopay payment for {name} was declined. You owe ${amount}. Pay here: ${link}`
  await textPayer(tx, dojoId, payer, text)
  const nextTry = debit.next_try_on === null ? '' : ' We will try again in a few days.'
  const { emails } = await tellPayer(tx, dojoId, payer, {
    title: 'Your payment was declined',
    message: `Your bank declined the autopay payment. You owe ${amount}.${nextTry}`,
    mailOnly: `Pay here: ${link}`,
  })
  return emails
}

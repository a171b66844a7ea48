import { formatMoneyInText, toDollars } from '@tatami/contract/lib/money'
import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'
import type { Email } from '../../lib/mail.ts'
import { readPendingMoney } from '../live-lines.ts'
import type { Payer } from '../payers.ts'
import { onlinePayers } from '../tables.ts'
import type { Agreement } from './agreements.ts'
import { type PayerMessage, tellPayer } from './payer-messages.ts'
import { stopNote } from './stop-links.ts'
import { autopayAgreements } from './tables.ts'

type AgreementOfPayer = { agreement: Agreement; payer: Payer }

/** Test agreements are with Stripe's test mode, where nothing of live mode is known. */
export const findAgreementsOfMode = (tx: Tx, isLive: boolean): Promise<AgreementOfPayer[]> =>
  tx
    .select({ agreement: autopayAgreements, payer: onlinePayers })
    .from(autopayAgreements)
    .innerJoin(onlinePayers, eq(onlinePayers.id, autopayAgreements.payer_id))
    .where(and(isNull(autopayAgreements.ended_at), eq(onlinePayers.customer_is_live, isLive)))
    .orderBy(autopayAgreements.id)

/** The school has removed its key. Agreements stay, because the key may come back. */
export async function tellAboutPause(
  tx: Tx,
  dojoId: string,
  { isLive, publicUrl }: { isLive: boolean; publicUrl: string },
): Promise<Email[]> {
  const emails: Email[] = []
  for (const { agreement, payer } of await findAgreementsOfMode(tx, isLive)) {
    const { cents } = await readPendingMoney(tx, payer)
    const pendingNote =
      cents > 0
        ? ` A payment of ${formatMoneyInText(toDollars(cents))} was already on its way.`
        : ''
    const message: PayerMessage = {
      title: 'Autopay is paused',
      message:
        'Your school has turned off online payment, so nothing more is charged.' +
        `${pendingNote} If it is turned on again, autopay continues, and we tell you.`,
      mailOnly: stopNote(publicUrl, dojoId, agreement.id),
    }
    emails.push(...(await tellPayer(tx, dojoId, payer, message)).emails)
  }
  return emails
}

export async function tellAboutReturn(
  tx: Tx,
  dojoId: string,
  { isLive, publicUrl }: { isLive: boolean; publicUrl: string },
): Promise<Email[]> {
  const emails: Email[] = []
  for (const { agreement, payer } of await findAgreementsOfMode(tx, isLive)) {
    const message: PayerMessage = {
      title: 'Autopay is on again',
      message: 'Your school takes online payments again, so autopay continues as you agreed.',
      mailOnly: stopNote(publicUrl, dojoId, agreement.id),
    }
    emails.push(...(await tellPayer(tx, dojoId, payer, message)).emails)
  }
  return emails
}

import type { PhoneInfo } from '@tatami/contract/phones'
import { and, eq, isNull } from 'drizzle-orm'
import { auditAct } from '../../audit/audit.ts'
import type { Tx } from '../../db/database.ts'
import type { Member } from '../../http/serve.ts'
import { nowIso } from '../../lib/clock.ts'
import { Refusal } from '../../lib/refusal.ts'
import { recordTextConsent } from '../consents.ts'
import { optedOutAmong } from '../recipients.ts'
import { phoneInfo, requirePhone } from './conversations.ts'
import { conversations } from './tables.ts'

/** Pins the conversation of a phone that seems to ask for no more texts, until an instructor decides. A phone that gets none is not pinned. */
export async function pinStopRequest(tx: Tx, phone: string): Promise<void> {
  if ((await optedOutAmong(tx, [phone])).has(phone)) return
  await tx
    .update(conversations)
    .set({ stop_asked_at: nowIso() })
    .where(and(eq(conversations.phone, phone), isNull(conversations.stop_asked_at)))
}

/** Takes the pin away: the phone has ended or renewed its texts itself, or an instructor has decided. */
export async function unpinStopRequest(tx: Tx, phone: string): Promise<boolean> {
  const [pinned] = await tx
    .select({ stop_asked_at: conversations.stop_asked_at })
    .from(conversations)
    .where(eq(conversations.phone, phone))
    .for('update')
  if (!pinned?.stop_asked_at) return false
  await tx.update(conversations).set({ stop_asked_at: null }).where(eq(conversations.phone, phone))
  return true
}

/**
 * Decides what a phone has asked for in longer words. Ending the texts is recorded like an end that somebody told the instructor, under the
 * name of whoever answers the phone; no text confirms it, because the request may be days old. 409 where nothing is asked.
 */
export async function decideStopRequest(
  tx: Tx,
  caller: Member,
  phone: string,
  endsTexts: boolean,
): Promise<PhoneInfo> {
  const [holder] = await requirePhone(tx, phone)
  if (!(await unpinStopRequest(tx, phone)))
    throw new Refusal(409, 'This request has been answered already.')
  if (endsTexts) {
    await recordTextConsent(tx, {
      phone,
      event: 'revoked',
      source: 'instructor',
      given_by: holder?.holder_name ?? holder?.name ?? null,
      recorded_by: caller.id,
    })
    await auditAct(tx, caller, 'text consent recorded', { details: { event: 'revoked' } })
  }
  return phoneInfo(tx, phone)
}

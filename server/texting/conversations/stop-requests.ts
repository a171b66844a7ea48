import type { PhoneInfo } from '@tatami/contract/texting/phones'
import type { StopRequest } from '@tatami/contract/texting/text-history'
import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import { auditAction } from '../../audit/audit.ts'
import type { Tx } from '../../db/database.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { now, nowIso } from '../../lib/clock.ts'
import { Refusal } from '../../lib/refusal.ts'
import { findNewestConsent, recordTextConsent, undoConsent } from '../consents.ts'
import { findOptOuts } from '../opt-outs.ts'
import { incomingTexts } from '../tables.ts'
import { readPhoneInfo, requirePhone } from './conversations.ts'
import { conversations } from './tables.ts'

/** A stop request is a text that may ask us to stop texting. Its conversation is pinned until an
 *  instructor decides. */

/** Longer than the Undo button stays on the screen. */
const UNDO_PERIOD_MS = 120_000

/** Returns false without pinning if the phone gets no texts anyway. */
export async function pinStopRequest(tx: Tx, phone: string): Promise<boolean> {
  if ((await findOptOuts(tx, [phone])).has(phone)) return false
  await tx
    .update(conversations)
    .set({ stop_asked_at: nowIso() })
    .where(and(eq(conversations.phone, phone), isNull(conversations.stop_asked_at)))
  return true
}

export const closeStopRequest = (tx: Tx, phone: string, event: 'given' | 'revoked') =>
  closeOpenRequest(tx, phone, { stop_request: event === 'revoked' ? 'ended' : 'kept' })

type Decision = { stop_request: StopRequest; stop_decided_at?: string }

/** Unpins the conversation. Returns false if there was no open request. */
async function closeOpenRequest(tx: Tx, phone: string, decision: Decision): Promise<boolean> {
  const [conversation] = await tx
    .select({ stop_asked_at: conversations.stop_asked_at })
    .from(conversations)
    .where(eq(conversations.phone, phone))
    .for('update')
  if (!conversation?.stop_asked_at) return false
  await tx.update(conversations).set({ stop_asked_at: null }).where(eq(conversations.phone, phone))
  await tx
    .update(incomingTexts)
    .set(decision)
    .where(and(eq(incomingTexts.phone, phone), eq(incomingTexts.stop_request, 'open')))
  return true
}

/** Sends no text to confirm the end of the texts, because the request may be days old. */
export async function decideStopRequest(
  tx: Tx,
  caller: DojoCaller,
  phone: string,
  endsTexts: boolean,
): Promise<PhoneInfo> {
  const [holder] = await requirePhone(tx, phone)
  const stop_request = endsTexts ? 'ended' : 'kept'
  if (!(await closeOpenRequest(tx, phone, { stop_request, stop_decided_at: nowIso() })))
    throw new Refusal(409, 'This request has already been answered.')
  if (endsTexts) {
    await recordTextConsent(tx, {
      phone,
      event: 'revoked',
      source: 'instructor',
      given_by: holder?.holder_name ?? holder?.name ?? null,
      recorded_by: caller.id,
    })
    await auditAction(tx, caller, 'text consent recorded', { details: { event: 'revoked' } })
  }
  return readPhoneInfo(tx, phone)
}

const UNDO_TOO_LATE = 'This can no longer be undone here.'

/** Throws 409 after two minutes, or if consent has changed since the decision. */
export async function undoStopDecision(
  tx: Tx,
  caller: DojoCaller,
  phone: string,
): Promise<PhoneInfo> {
  await requirePhone(tx, phone)
  await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(eq(conversations.phone, phone))
    .for('update')
  const [request] = await tx
    .select()
    .from(incomingTexts)
    .where(and(eq(incomingTexts.phone, phone), isNotNull(incomingTexts.stop_decided_at)))
    .orderBy(desc(incomingTexts.stop_decided_at), incomingTexts.id)
    .limit(1)
  const decidedAt = request?.stop_decided_at
  if (!decidedAt || now().getTime() - new Date(decidedAt).getTime() > UNDO_PERIOD_MS)
    throw new Refusal(409, UNDO_TOO_LATE)
  if (request.stop_request === 'ended') await undoEndOfTexts(tx, caller, phone)
  await tx
    .update(incomingTexts)
    .set({ stop_request: 'open', stop_decided_at: null })
    .where(and(eq(incomingTexts.phone, phone), eq(incomingTexts.stop_decided_at, decidedAt)))
  await tx
    .update(conversations)
    .set({ stop_asked_at: request.received_at })
    .where(eq(conversations.phone, phone))
  return readPhoneInfo(tx, phone)
}

/** Undoes only a withdrawal that the caller recorded, and never a STOP from the phone. */
async function undoEndOfTexts(tx: Tx, caller: DojoCaller, phone: string): Promise<void> {
  const consent = await findNewestConsent(tx, phone)
  const isOwnRecord = consent?.source === 'instructor' && consent.recorded_by === caller.id
  const hasRepliedStop = (await findOptOuts(tx, [phone])).get(phone) === 'replied_stop'
  if (!isOwnRecord || consent.event !== 'revoked' || hasRepliedStop)
    throw new Refusal(409, UNDO_TOO_LATE)
  await undoConsent(tx, consent.id)
  await auditAction(tx, caller, 'end of texts undone')
}

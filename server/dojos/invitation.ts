import type { Invitation } from '@tatami/contract/dojos/dojos'
import { and, eq, isNull } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { toDataURL } from 'qrcode'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { Refusal } from '../lib/refusal.ts'
import { type Dojo, dojoById, newInviteCode } from './dojos.ts'
import { dojos } from './tables.ts'

/** QR codes are cached, because drawing one takes ten milliseconds. */
const qrByLink = new LRUCache<string, string>({ max: 500 })

async function drawQr(link: string): Promise<string> {
  const cachedQr = qrByLink.get(link)
  if (cachedQr) return cachedQr
  const qr = await toDataURL(link, { margin: 1, width: 320 })
  qrByLink.set(link, qr)
  return qr
}

export async function readInvitation(
  tx: Tx,
  dojoId: string,
  publicUrl: string,
): Promise<Invitation> {
  const { invite_code } = await dojoById(tx, dojoId)
  const link = `${publicUrl}/join/${invite_code}`
  return { invite_code, link, qr: await drawQr(link) }
}

export async function renewInvitation(tx: Tx, caller: DojoCaller): Promise<void> {
  await tx.update(dojos).set({ invite_code: newInviteCode() }).where(eq(dojos.id, caller.dojoId))
  await auditAction(tx, caller, 'invitation replaced')
}

export async function recordSharing(tx: Tx, dojoId: string): Promise<void> {
  await tx
    .update(dojos)
    .set({ invitation_shared_at: nowIso() })
    .where(and(eq(dojos.id, dojoId), isNull(dojos.invitation_shared_at)))
}

export async function findDojoByInviteCode(tx: Tx, inviteCode: string): Promise<Dojo> {
  const [dojo] = await tx.select().from(dojos).where(eq(dojos.invite_code, inviteCode))
  if (!dojo) throw new Refusal(400, 'This invitation is not valid')
  return dojo
}

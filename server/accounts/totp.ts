import { and, eq, isNotNull, lt } from 'drizzle-orm'
import { generateSecret, generateURI, verifySync } from 'otplib'
import { toDataURL } from 'qrcode'
import type { Tx } from '../db/database.ts'
import { now, nowIso } from '../lib/clock.ts'
import { Refusal } from '../lib/refusal.ts'
import { totpSecrets } from './tables.ts'

const ISSUER = 'Tatami'
const CODE = /^\d{6}$/
/** A code is taken for half a minute before and after its own, for clocks that are not quite right (RFC 6238, section 5.2). */
const TOLERANCE_S = 30

export const authenticatorOf = async (tx: Tx, accountId: string) =>
  (
    await tx
      .select()
      .from(totpSecrets)
      .where(and(eq(totpSecrets.account_id, accountId), isNotNull(totpSecrets.confirmed_at)))
  )[0]

/** A new secret, which is not asked for before a code of it has been typed: as text, and as a QR code in a data URL. 409 where an app is
 *  switched on already. */
export async function startAuthenticator(tx: Tx, account: { id: string; email: string }): Promise<{ secret: string; qr: string }> {
  if (await authenticatorOf(tx, account.id)) throw new Refusal(409, 'An authenticator app is switched on already. Switch it off first.')
  const secret = generateSecret()
  const fresh = { secret, created_at: nowIso(), confirmed_at: null, last_step: 0 }
  await tx
    .insert(totpSecrets)
    .values({ ...fresh, account_id: account.id })
    .onConflictDoUpdate({ target: totpSecrets.account_id, set: fresh })
  return { secret, qr: await toDataURL(generateURI({ issuer: ISSUER, label: account.email, secret }), { margin: 2, width: 224 }) }
}

/** Whether this is a code of the secret that the account has, confirmed or not. A code that was taken, and those before it, are taken no
 *  more. */
export async function takeTotpCode(tx: Tx, accountId: string, typed: string): Promise<boolean> {
  const token = typed.replaceAll(/\s/g, '')
  const [row] = await tx.select().from(totpSecrets).where(eq(totpSecrets.account_id, accountId))
  if (!row || !CODE.test(token)) return false
  const epoch = Math.floor(now().getTime() / 1000)
  const checked = verifySync({ secret: row.secret, token, epoch, epochTolerance: TOLERANCE_S, afterTimeStep: row.last_step })
  if (!checked.valid || !('timeStep' in checked)) return false
  const taken = await tx
    .update(totpSecrets)
    .set({ last_step: checked.timeStep })
    .where(and(eq(totpSecrets.account_id, accountId), lt(totpSecrets.last_step, checked.timeStep)))
    .returning({ id: totpSecrets.account_id })
  return taken.length > 0
}

export const confirmAuthenticator = (tx: Tx, accountId: string) =>
  tx.update(totpSecrets).set({ confirmed_at: nowIso() }).where(eq(totpSecrets.account_id, accountId))

export const deleteAuthenticator = (tx: Tx, accountId: string) => tx.delete(totpSecrets).where(eq(totpSecrets.account_id, accountId))

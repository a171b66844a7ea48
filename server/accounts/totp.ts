import { and, eq, isNotNull, lt } from 'drizzle-orm'
import { generateSecret, generateURI, verifySync } from 'otplib'
import { toDataURL } from 'qrcode'
import type { Tx } from '../db/database.ts'
import { now, nowIso } from '../lib/clock.ts'
import { Refusal } from '../lib/refusal.ts'
import { seal, unseal } from './sealed-secrets.ts'
import { totpSecrets } from './tables.ts'

const ISSUER = 'Tatami'
const CODE = /^\d{6}$/
/** Accepts codes half a minute early or late, for inexact clocks (RFC 6238, section 5.2). */
const TOLERANCE_S = 30
const UNREADABLE =
  'Codes of your app cannot be checked at the moment. Enter a recovery code, or ask the admin team.'

export const authenticatorOf = async (tx: Tx, accountId: string) =>
  (
    await tx
      .select()
      .from(totpSecrets)
      .where(and(eq(totpSecrets.account_id, accountId), isNotNull(totpSecrets.confirmed_at)))
  )[0]

/** The secret is used once a code of it has been typed. Returned as text and as a QR code in a data
 *  URL. 409 if an app is already on. */
export async function startAuthenticator(
  tx: Tx,
  account: { id: string; email: string },
): Promise<{ secret: string; qr: string }> {
  if (await authenticatorOf(tx, account.id))
    throw new Refusal(409, 'An authenticator app is switched on already. Switch it off first.')
  const secret = generateSecret()
  const fresh = { secret: seal(secret), created_at: nowIso(), confirmed_at: null, last_step: 0 }
  await tx
    .insert(totpSecrets)
    .values({ ...fresh, account_id: account.id })
    .onConflictDoUpdate({ target: totpSecrets.account_id, set: fresh })
  return {
    secret,
    qr: await toDataURL(generateURI({ issuer: ISSUER, label: account.email, secret }), {
      margin: 2,
      width: 224,
    }),
  }
}

/** True for a valid code of the account's secret, confirmed or not. Each code works once. 503 if
 *  this server cannot decrypt the secret. */
export async function takeTotpCode(tx: Tx, accountId: string, input: string): Promise<boolean> {
  const token = input.replaceAll(/\s/g, '')
  const [row] = await tx.select().from(totpSecrets).where(eq(totpSecrets.account_id, accountId))
  if (!row || !CODE.test(token)) return false
  const secret = unseal(row.secret)
  if (secret === null) throw new Refusal(503, UNREADABLE)
  const epoch = Math.floor(now().getTime() / 1000)
  const verification = verifySync({
    secret,
    token,
    epoch,
    epochTolerance: TOLERANCE_S,
    afterTimeStep: row.last_step,
  })
  if (!verification.valid || !('timeStep' in verification)) return false
  const rows = await tx
    .update(totpSecrets)
    .set({ last_step: verification.timeStep })
    .where(
      and(eq(totpSecrets.account_id, accountId), lt(totpSecrets.last_step, verification.timeStep)),
    )
    .returning({ id: totpSecrets.account_id })
  return rows.length > 0
}

export const confirmAuthenticator = (tx: Tx, accountId: string) =>
  tx
    .update(totpSecrets)
    .set({ confirmed_at: nowIso() })
    .where(eq(totpSecrets.account_id, accountId))

export const deleteAuthenticator = (tx: Tx, accountId: string) =>
  tx.delete(totpSecrets).where(eq(totpSecrets.account_id, accountId))

/** Encrypts secrets that are stored unencrypted, if there is a key. Returns how many this server
 *  cannot read. */
export async function sealAuthenticators(tx: Tx): Promise<number> {
  const rows = await tx
    .select({ account_id: totpSecrets.account_id, secret: totpSecrets.secret })
    .from(totpSecrets)
  for (const { account_id, secret } of rows) {
    const plain = unseal(secret)
    if (plain === secret && seal(plain) !== plain)
      await tx
        .update(totpSecrets)
        .set({ secret: seal(plain) })
        .where(and(eq(totpSecrets.account_id, account_id), eq(totpSecrets.secret, secret)))
  }
  return rows.filter(({ secret }) => unseal(secret) === null).length
}

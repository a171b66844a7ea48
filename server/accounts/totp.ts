import { and, eq, isNotNull, lt } from 'drizzle-orm'
import { generateSecret, generateURI, verifySync } from 'otplib'
import { toDataURL } from 'qrcode'
import type { Tx } from '../db/database.ts'
import { now, nowIso } from '../lib/clock.ts'
import { Refusal } from '../lib/refusal.ts'
import { hasSecretsKey, seal, unseal } from './sealed-secrets.ts'
import { totpSecrets } from './tables.ts'

const ISSUER = 'Tatami'
const CODE_PATTERN = /^\d{6}$/
/** Accepts codes half a minute early or late, because clocks differ (RFC 6238, section 5.2). */
const TOLERANCE_SECONDS = 30
const UNREADABLE_SECRET =
  'We can’t check codes from your app right now. Enter a recovery code, or ask the admin team.'

export async function findAuthenticator(tx: Tx, accountId: string) {
  const [authenticator] = await tx
    .select()
    .from(totpSecrets)
    .where(and(eq(totpSecrets.account_id, accountId), isNotNull(totpSecrets.confirmed_at)))
  return authenticator
}

/** Returns a new secret as text and as a QR code. The first valid code turns the app on. Throws 409
 *  if an app is already on. */
export async function startAuthenticator(
  tx: Tx,
  account: { id: string; email: string },
): Promise<{ secret: string; qr: string }> {
  if (await findAuthenticator(tx, account.id))
    throw new Refusal(409, 'An authenticator app is already turned on. Turn it off first.')
  const secret = generateSecret()
  const secretColumns = {
    secret: seal(secret),
    created_at: nowIso(),
    confirmed_at: null,
    last_step: 0,
  }
  await tx
    .insert(totpSecrets)
    .values({ ...secretColumns, account_id: account.id })
    .onConflictDoUpdate({ target: totpSecrets.account_id, set: secretColumns })
  const uri = generateURI({ issuer: ISSUER, label: account.email, secret })
  return { secret, qr: await toDataURL(uri, { margin: 2, width: 224 }) }
}

/** Returns true for a valid code, which then no longer works. Also accepts codes of an app that is
 *  not turned on yet. Throws 503 if the secret cannot be decrypted. */
export async function redeemTotpCode(tx: Tx, accountId: string, input: string): Promise<boolean> {
  const token = input.replaceAll(/\s/g, '')
  const [totp] = await tx.select().from(totpSecrets).where(eq(totpSecrets.account_id, accountId))
  if (!totp || !CODE_PATTERN.test(token)) return false
  const secret = unseal(totp.secret)
  if (secret === null) throw new Refusal(503, UNREADABLE_SECRET)
  const epoch = Math.floor(now().getTime() / 1000)
  const verification = verifySync({
    secret,
    token,
    epoch,
    epochTolerance: TOLERANCE_SECONDS,
    afterTimeStep: totp.last_step,
  })
  if (!verification.valid || !('timeStep' in verification)) return false
  // A concurrent call may have used the same code.
  const updatedRows = await tx
    .update(totpSecrets)
    .set({ last_step: verification.timeStep })
    .where(
      and(eq(totpSecrets.account_id, accountId), lt(totpSecrets.last_step, verification.timeStep)),
    )
    .returning({ id: totpSecrets.account_id })
  return updatedRows.length > 0
}

export const confirmAuthenticator = (tx: Tx, accountId: string) =>
  tx
    .update(totpSecrets)
    .set({ confirmed_at: nowIso() })
    .where(eq(totpSecrets.account_id, accountId))

export const deleteAuthenticator = (tx: Tx, accountId: string) =>
  tx.delete(totpSecrets).where(eq(totpSecrets.account_id, accountId))

/** Encrypts secrets that are not encrypted yet. Returns how many secrets it cannot decrypt. */
export async function sealAuthenticators(tx: Tx): Promise<number> {
  const rows = await tx
    .select({ account_id: totpSecrets.account_id, secret: totpSecrets.secret })
    .from(totpSecrets)
  for (const { account_id, secret } of rows) {
    const plaintext = unseal(secret)
    const isUnsealed = plaintext === secret
    if (isUnsealed && hasSecretsKey())
      await tx
        .update(totpSecrets)
        .set({ secret: seal(secret) })
        .where(and(eq(totpSecrets.account_id, account_id), eq(totpSecrets.secret, secret)))
  }
  return rows.filter(({ secret }) => unseal(secret) === null).length
}

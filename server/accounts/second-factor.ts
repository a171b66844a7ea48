import { and, eq, gte } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { invalid, Refusal } from '../lib/refusal.ts'
import type { Account } from './accounts.ts'
import { deleteRecoveryCodes, firstRecoveryCodes, takeRecoveryCode } from './recovery-codes.ts'
import {
  clearFailures,
  lockAttempts,
  recordFailure,
  requireFewFailures,
  signInAttempt,
} from './sign-in-throttle.ts'
import { mustHaveSecondFactor } from './staff-caller.ts'
import { passkeys, totpSecrets } from './tables.ts'
import { authenticatorOf, confirmAuthenticator, takeTotpCode } from './totp.ts'

const ENTER_CODE = 'Enter the code that your authenticator app shows, or a recovery code.'
const USE_PASSKEY = 'Log in with your passkey, or enter a recovery code.'
const WRONG_CODE = 'This code is wrong. Each code works once, for half a minute.'

/** Wrong codes have their own count, and no address is trusted: the guesser knows the password. */
const codeAttempt = (accountId: string, maxFailures: number) =>
  signInAttempt(`second factor of ${accountId}`, maxFailures)

/** A refusal if a code is missing or wrong, to be thrown after the commit, because wrong codes
 *  are counted in this transaction. 429 after too many. */
export async function missingSecondFactor(
  tx: Tx,
  account: Account,
  code: string | undefined,
  maxFailures: number,
): Promise<Refusal | null> {
  const hasApp = (await authenticatorOf(tx, account.id)) !== undefined
  if (!hasApp && !(await mustUsePasskey(tx, account))) return null
  if (code === undefined) return invalid('code', hasApp ? ENTER_CODE : USE_PASSKEY)
  return limitCodes(tx, account, maxFailures, () => takeCode(tx, account, code, hasApp))
}

async function mustUsePasskey(tx: Tx, { id, role, dojo_id: dojoId }: Account): Promise<boolean> {
  const hasPasskey = (await countPasskeys(tx, id)) > 0
  return hasPasskey && (await mustHaveSecondFactor(tx, { id, role, dojoId }))
}

async function takeCode(
  tx: Tx,
  { id, dojo_id }: Account,
  code: string,
  hasApp: boolean,
): Promise<boolean> {
  if (hasApp && (await takeTotpCode(tx, id, code))) return true
  const isRecovery = await takeRecoveryCode(tx, id, code)
  if (isRecovery)
    await auditAction(tx, { id, dojoId: dojo_id }, 'recovery code used', { subject_id: id })
  return isRecovery
}

/** Returns the first recovery codes, or a refusal to throw after the commit. */
export async function confirmNewAuthenticator(
  tx: Tx,
  account: Account,
  code: string,
  maxFailures: number,
): Promise<{ recovery_codes: string[] } | Refusal> {
  if (await authenticatorOf(tx, account.id))
    return new Refusal(409, 'The authenticator app is already turned on.')
  const refusal = await limitCodes(tx, account, maxFailures, () =>
    takeTotpCode(tx, account.id, code),
  )
  if (refusal) return refusal
  await confirmAuthenticator(tx, account.id)
  return { recovery_codes: await firstRecoveryCodes(tx, account.id) }
}

/** Runs `take`, which checks a code. Counts wrong codes, and refuses after too many of them. */
async function limitCodes(
  tx: Tx,
  { id }: Account,
  maxFailures: number,
  take: () => Promise<boolean>,
): Promise<Refusal | null> {
  const attempt = codeAttempt(id, maxFailures)
  await lockAttempts(tx, attempt)
  await requireFewFailures(tx, attempt)
  if (await take()) {
    await clearFailures(tx, attempt)
    return null
  }
  await recordFailure(tx, attempt)
  return invalid('code', WRONG_CODE)
}

export const countPasskeys = (tx: Tx, accountId: string): Promise<number> =>
  tx.$count(passkeys, eq(passkeys.account_id, accountId))

/** Removes the factors created since a point in time, or all factors by default. */
export async function removeSecondFactors(
  tx: Tx,
  accountId: string,
  createdSince = '-infinity',
): Promise<void> {
  await tx
    .delete(passkeys)
    .where(and(eq(passkeys.account_id, accountId), gte(passkeys.created_at, createdSince)))
  const removedSecrets = await tx
    .delete(totpSecrets)
    .where(and(eq(totpSecrets.account_id, accountId), gte(totpSecrets.created_at, createdSince)))
    .returning({ id: totpSecrets.account_id })
  if (removedSecrets.length > 0 || createdSince === '-infinity')
    await deleteRecoveryCodes(tx, accountId)
}

import { and, eq, gte } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { invalid, Refusal } from '../lib/refusal.ts'
import type { Account } from './accounts.ts'
import {
  deleteRecoveryCodes,
  createFirstRecoveryCodes,
  redeemRecoveryCode,
} from './recovery-codes.ts'
import {
  clearFailures,
  lockAttempts,
  recordFailure,
  refuseAfterTooManyFailures,
  createSignInAttempt,
} from './sign-in-throttle.ts'
import { mustHaveSecondFactor } from './staff-caller.ts'
import { passkeys, totpSecrets } from './tables.ts'
import { findAuthenticator, confirmAuthenticator, redeemTotpCode } from './totp.ts'

const ENTER_CODE = 'Enter the code that your authenticator app shows, or a recovery code.'
const USE_PASSKEY = 'Log in with your passkey, or enter a recovery code.'
const WRONG_CODE = 'This code is wrong. Each code works once, for half a minute.'

/** Wrong codes are counted separately from wrong passwords. The limit applies to known addresses
 *  too, because whoever guesses a code already knows the password. */
const createCodeAttempt = (accountId: string, maxFailures: number) =>
  createSignInAttempt(`second factor of ${accountId}`, maxFailures)

/** Returns a refusal if the code is missing or wrong. The caller must commit before it throws the
 *  refusal, so that the wrong code is counted. Throws 429 after too many wrong codes. */
export async function checkSecondFactor(
  tx: Tx,
  account: Account,
  code: string | undefined,
  maxFailures: number,
): Promise<Refusal | null> {
  const hasAuthenticator = (await findAuthenticator(tx, account.id)) !== undefined
  if (!hasAuthenticator && !(await mustUsePasskey(tx, account))) return null
  if (code === undefined) return invalid('code', hasAuthenticator ? ENTER_CODE : USE_PASSKEY)
  const redeem = () => redeemCode(tx, account, code, hasAuthenticator)
  return limitWrongCodes(tx, account, maxFailures, redeem)
}

async function mustUsePasskey(tx: Tx, { id, role, dojo_id: dojoId }: Account): Promise<boolean> {
  const hasPasskey = (await countPasskeys(tx, id)) > 0
  return hasPasskey && (await mustHaveSecondFactor(tx, { id, role, dojoId }))
}

async function redeemCode(
  tx: Tx,
  { id, dojo_id }: Account,
  code: string,
  hasAuthenticator: boolean,
): Promise<boolean> {
  if (hasAuthenticator && (await redeemTotpCode(tx, id, code))) return true
  const isRecoveryCode = await redeemRecoveryCode(tx, id, code)
  if (isRecoveryCode)
    await auditAction(tx, { id, dojoId: dojo_id }, 'recovery code used', { subject_id: id })
  return isRecoveryCode
}

/** Returns the first recovery codes, or a refusal that the caller throws after the commit. */
export async function confirmNewAuthenticator(
  tx: Tx,
  account: Account,
  code: string,
  maxFailures: number,
): Promise<{ recovery_codes: string[] } | Refusal> {
  if (await findAuthenticator(tx, account.id))
    return new Refusal(409, 'The authenticator app is already turned on.')
  const refusal = await limitWrongCodes(tx, account, maxFailures, () =>
    redeemTotpCode(tx, account.id, code),
  )
  if (refusal) return refusal
  await confirmAuthenticator(tx, account.id)
  return { recovery_codes: await createFirstRecoveryCodes(tx, account.id) }
}

/** Returns a refusal if `redeem` finds that the code is wrong. Throws 429 after too many. */
async function limitWrongCodes(
  tx: Tx,
  { id }: Account,
  maxFailures: number,
  redeem: () => Promise<boolean>,
): Promise<Refusal | null> {
  const attempt = createCodeAttempt(id, maxFailures)
  await lockAttempts(tx, attempt)
  await refuseAfterTooManyFailures(tx, attempt)
  if (await redeem()) {
    await clearFailures(tx, attempt)
    return null
  }
  await recordFailure(tx, attempt)
  return invalid('code', WRONG_CODE)
}

export const countPasskeys = (tx: Tx, accountId: string): Promise<number> =>
  tx.$count(passkeys, eq(passkeys.account_id, accountId))

/** Removes factors created since a point in time, or by default all factors. */
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

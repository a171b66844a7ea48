import { isIP } from 'node:net'
import type {
  NewPasskeyResponse,
  Passkey,
  PasskeyResponse,
} from '@tatami/contract/accounts/sign-in'
import { and, asc, eq, gt } from 'drizzle-orm'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { now, nowIso } from '../lib/clock.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { type Account, requireAccount } from './accounts.ts'
import { countPasskeys } from './second-factor.ts'
import { pick } from '../lib/rows.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { passkeyChallenges, passkeys } from './tables.ts'

const SITE_NAME = 'Tatami'
const CHALLENGE_MS = 5 * 60_000
const MAX_PASSKEYS = 20

/** Loaded only when needed, because loading takes a quarter of a second. */
const loadWebAuthn = () => import('@simplewebauthn/server')

/** A term of W3C Web Authentication: `id` is the host name, and pages of `origin` may use
 *  passkeys. */
export type RelyingParty = { id: string; origin: string }

/** Returns null if browsers do not allow passkeys at this address. */
export function toRelyingParty(publicUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(publicUrl)
  if (['localhost', '127.0.0.1', '[::1]'].includes(hostname))
    return { id: 'localhost', origin: origin.replace(hostname, 'localhost') }
  const isHostName = isIP(hostname.replaceAll(/[[\]]/g, '')) === 0
  return protocol === 'https:' && isHostName ? { id: hostname, origin } : null
}

export function requireRelyingParty(party: RelyingParty | null): RelyingParty {
  if (!party)
    throw new Refusal(
      409,
      'Passkeys only work at an https address. Please ask the person who runs this server.',
    )
  return party
}

async function storeChallenge(tx: Tx, challenge: string, account_id: string | null): Promise<void> {
  await tx.insert(passkeyChallenges).values({
    challenge,
    account_id,
    expires_at: new Date(now().getTime() + CHALLENGE_MS).toISOString(),
  })
}

/** Deletes the challenge, so that it works only once. Returns null if it is unknown or was created
 *  for another account. */
async function redeemChallenge(
  tx: Tx,
  clientDataJSON: string,
  accountId: string | null,
): Promise<string | null> {
  const challenge = parseChallenge(clientDataJSON)
  if (challenge === null) return null
  const [challengeRow] = await tx
    .delete(passkeyChallenges)
    .where(
      and(eq(passkeyChallenges.challenge, challenge), gt(passkeyChallenges.expires_at, nowIso())),
    )
    .returning()
  return challengeRow?.account_id === accountId ? challenge : null
}

function parseChallenge(clientDataJSON: string): string | null {
  try {
    const { challenge } = Object(
      JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()),
    ) as { challenge?: unknown }
    return typeof challenge === 'string' && /^[\w-]{1,200}$/.test(challenge) ? challenge : null
  } catch {
    return null
  }
}

const PASSKEY_COLUMNS = pick(passkeys, 'id', 'name', 'created_at', 'last_used_at')
const isOfAccount = (accountId: string) => eq(passkeys.account_id, accountId)
const isOwnPasskey = (accountId: string, id: string) =>
  and(isOfAccount(accountId), eq(passkeys.id, id))

export const listPasskeys = (tx: Tx, accountId: string): Promise<Passkey[]> =>
  tx
    .select(PASSKEY_COLUMNS)
    .from(passkeys)
    .where(isOfAccount(accountId))
    .orderBy(asc(passkeys.created_at), asc(passkeys.id))

/** `required` makes the device store the passkey and check the user's fingerprint, face or PIN. */
export async function createPasskeyOptions(
  tx: Tx,
  party: RelyingParty,
  { id, email }: Account,
): Promise<Record<string, unknown>> {
  const { generateRegistrationOptions } = await loadWebAuthn()
  const existingPasskeys = await tx
    .select({ id: passkeys.credential_id, transports: passkeys.transports })
    .from(passkeys)
    .where(isOfAccount(id))
  const options = await generateRegistrationOptions({
    rpName: SITE_NAME,
    rpID: party.id,
    userName: email,
    userID: new TextEncoder().encode(id),
    attestationType: 'none',
    excludeCredentials: existingPasskeys,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await storeChallenge(tx, options.challenge, id)
  return { ...options }
}

const NOT_VERIFIED = 'The passkey could not be checked. Please try again.'

export async function addPasskey(
  tx: Tx,
  { id: rpId, origin }: RelyingParty,
  accountId: string,
  name: string,
  response: NewPasskeyResponse,
): Promise<Passkey> {
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const challenge = await redeemChallenge(tx, response.response.clientDataJSON, accountId)
  if (challenge === null) throw invalid('response', NOT_VERIFIED)
  if ((await countPasskeys(tx, accountId)) >= MAX_PASSKEYS)
    throw new Refusal(409, `You have ${MAX_PASSKEYS} passkeys. Remove one first.`)
  // The library throws if the response is invalid.
  const verification = await verifyRegistrationResponse({
    response: {
      ...response,
      response: { ...response.response, transports: response.response.transports ?? [] },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }).catch(() => null)
  if (!verification?.verified) throw invalid('response', NOT_VERIFIED)
  const {
    id: credential_id,
    publicKey,
    counter,
    transports = [],
  } = verification.registrationInfo.credential
  const [passkey] = await tx
    .insert(passkeys)
    .values({
      id: newId(),
      account_id: accountId,
      credential_id,
      public_key: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports,
      name,
    })
    .returning(PASSKEY_COLUMNS)
  return mustExist(passkey, 'The passkey')
}

export async function renamePasskey(
  tx: Tx,
  accountId: string,
  id: string,
  name: string,
): Promise<Passkey> {
  const [passkey] = await tx
    .update(passkeys)
    .set({ name })
    .where(isOwnPasskey(accountId, id))
    .returning(PASSKEY_COLUMNS)
  if (!passkey) throw notFound('Passkey')
  return passkey
}

export async function removePasskey(tx: Tx, accountId: string, id: string): Promise<Passkey> {
  const [passkey] = await tx
    .delete(passkeys)
    .where(isOwnPasskey(accountId, id))
    .returning(PASSKEY_COLUMNS)
  if (!passkey) throw notFound('Passkey')
  return passkey
}

export async function createPasskeySignInOptions(
  tx: Tx,
  party: RelyingParty,
): Promise<Record<string, unknown>> {
  const { generateAuthenticationOptions } = await loadWebAuthn()
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    userVerification: 'required',
  })
  await storeChallenge(tx, options.challenge, null)
  return { ...options }
}

const UNKNOWN_PASSKEY = 'We don’t know this passkey. Please log in with your password.'

export async function verifyPasskey(
  tx: Tx,
  party: RelyingParty,
  response: PasskeyResponse,
): Promise<Account> {
  const unknownPasskey = () => new Refusal(401, UNKNOWN_PASSKEY)
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const challenge = await redeemChallenge(tx, response.response.clientDataJSON, null)
  const [passkey] = await tx
    .select()
    .from(passkeys)
    .where(eq(passkeys.credential_id, response.id))
    .for('no key update')
  if (challenge === null || !passkey) throw unknownPasskey()
  // The library's type does not allow a user handle that is undefined.
  const { userHandle, ...signedResponse } = response.response
  const verification = await verifyAuthenticationResponse({
    response: {
      ...response,
      response: { ...signedResponse, ...(userHandle && { userHandle }) },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(() => null)
  if (!verification?.verified) throw unknownPasskey()
  await tx
    .update(passkeys)
    .set({ counter: verification.authenticationInfo.newCounter, last_used_at: nowIso() })
    .where(eq(passkeys.id, passkey.id))
  return await requireAccount(tx, passkey.account_id, 'share')
}

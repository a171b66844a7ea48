import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { SIGNING_LINK_DAYS, SIGNING_PATH } from '@tatami/contract/documents/signing'
import type { SignerKind, SigningChannel } from '@tatami/contract/documents/signatures'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { requireActiveDojo } from '../accounts/accounts.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { now, nowIso } from '../lib/clock.ts'
import { parseDojoToken, newDojoToken } from '../lib/dojo-tokens.ts'
import { Refusal } from '../lib/refusal.ts'
import { sha256 } from '../lib/secrets.ts'
import { type Person, personIds } from './people.ts'
import { signingLinks } from './tables.ts'

export type SigningLink = typeof signingLinks.$inferSelect

export const invalidLink = () =>
  new Refusal(400, 'This link no longer works. Please ask your school for a new one.')

export function findDojoOfToken(token: string): string {
  const dojoId = parseDojoToken(token)
  if (dojoId === null) throw invalidLink()
  return dojoId
}

/** The token comes after a "#", so that no server logs it. */
export const signingUrl = (publicUrl: string, token: string): string =>
  `${publicUrl}${SIGNING_PATH}#${token}`

export type NewLink = {
  person: Pick<Person, 'kind' | 'id'>
  documentIds: string[]
  channel: SigningChannel
  /** Null if the link is for whoever holds the phone. */
  signer: { kind: SignerKind; id: string | null } | null
  sentTo?: string | null
  createdBy?: string | null
}

/** Returns the token, which is stored only as a hash. */
export async function createSigningLink(
  tx: Tx,
  dojoId: string,
  { person, documentIds, channel, signer, sentTo = null, createdBy = null }: NewLink,
): Promise<string> {
  const token = newDojoToken(dojoId)
  await tx.insert(signingLinks).values({
    id: newId(),
    token_hash: sha256(token),
    ...personIds(person),
    document_ids: documentIds,
    channel,
    signer_kind: signer?.kind ?? null,
    signer_id: signer?.id ?? null,
    sent_to: sentTo,
    created_by: createdBy,
    expires_at: new Date(now().getTime() + SIGNING_LINK_DAYS * DAY_MS).toISOString(),
  })
  return token
}

/** Refuses an unknown, expired or revoked link with 400. A used link is only good for asking again
 *  what it signed. */
export async function lockLink(tx: Tx, dojoId: string, token: string): Promise<SigningLink> {
  const [link] = await tx
    .select()
    .from(signingLinks)
    .where(
      and(
        eq(signingLinks.token_hash, sha256(token)),
        gt(signingLinks.expires_at, nowIso()),
        isNull(signingLinks.revoked_at),
      ),
    )
    .for('update')
  if (!link) throw invalidLink()
  await requireActiveDojo(tx, dojoId)
  return link
}

export const markUsed = async (tx: Tx, id: string): Promise<void> => {
  await tx.update(signingLinks).set({ used_at: nowIso() }).where(eq(signingLinks.id, id))
}

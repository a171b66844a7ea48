import { and, eq, gt, inArray, lte, ne, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { type Cache, createCache } from '../db/cache.ts'
import { DAY_MS, now, nowIso } from '../lib/clock.ts'
import type { Database, Tx } from '../db/database.ts'
import { type FairQueue, requesterByAddress } from '../http/fair-queue.ts'
import { notSignedIn } from '../lib/refusal.ts'
import { newSecret, sha256 } from '../lib/secrets.ts'
import type { Caller } from '../http/serve.ts'
import type { PubSub } from '../db/pubsub.ts'
import { accounts, sessions } from './tables.ts'

/** A session ends this long after its last use, which is recorded at most once an hour. */
export const IDLE_DAYS = 30
const IDLE_MS = IDLE_DAYS * DAY_MS
const WRITE_USE_MS = 3_600_000
const MAX_CACHED = 20_000
const TOPIC = 'sessions-ended'

const sinceIdle = () => new Date(now().getTime() - IDLE_MS).toISOString()

/** Opens a session and returns its token, of which only the hash is stored. Deletes the account's expired sessions. */
export async function openSession(tx: Tx, accountId: string): Promise<string> {
  await tx.delete(sessions).where(and(eq(sessions.account_id, accountId), lte(sessions.last_used_at, sinceIdle())))
  const token = newSecret()
  await tx.insert(sessions).values({ token_hash: sha256(token), account_id: accountId, last_used_at: nowIso() })
  return token
}

type Session = { caller: Caller; lastUsedAt: number }
const endedBy = ({ caller }: Session) => [caller.sessionId, caller.id, ...(caller.dojoId ? [caller.dojoId] : [])]
export type Sessions = ReturnType<typeof createSessions>

/** Looks up the callers of tokens with a cache, and ends sessions on all servers at once. */
export function createSessions(db: Database, pubsub: PubSub, anonymousQueue: FairQueue) {
  const known: Cache<Session> = createCache(pubsub, { name: 'sessions', maxValues: MAX_CACHED, tagsOf: endedBy })
  // The message is the id of a session, an account or a dojo; those that have not ended are found again.
  pubsub.subscribe(TOPIC, known.invalidate)

  return {
    async callerOf(token: string, address: string): Promise<Caller | null> {
      const sessionId = sha256(token)
      const session = await known.get(sessionId, () =>
        anonymousQueue(requesterByAddress(address), () => db.withoutDojo((tx) => findSession(tx, sessionId))),
      )
      if (!session) return null
      if (now().getTime() - session.lastUsedAt > WRITE_USE_MS) {
        // Other servers may have recorded a later use than this cache knows.
        if (!(await db.withoutDojo((tx) => writeUse(tx, sessionId)))) return null
        session.lastUsedAt = now().getTime()
      }
      return session.caller
    },
    /** After an account got another id or role: every server looks its sessions up again. */
    accountChanged: (tx: Tx, accountId: string) => tx.publish(TOPIC, accountId),
    async endSession(tx: Tx, sessionId: string) {
      await tx.delete(sessions).where(eq(sessions.token_hash, sessionId))
      await tx.publish(TOPIC, sessionId)
    },
    async endOtherSessions(tx: Tx, { id, sessionId }: Caller) {
      const ended = await tx
        .delete(sessions)
        .where(and(eq(sessions.account_id, id), ne(sessions.token_hash, sessionId)))
        .returning({ id: sessions.token_hash })
      for (const session of ended) await tx.publish(TOPIC, session.id)
    },
    async endSessionsOfAccount(tx: Tx, accountId: string) {
      await tx.delete(sessions).where(eq(sessions.account_id, accountId))
      await tx.publish(TOPIC, accountId)
    },
    async endSessionsOfDojo(tx: Tx, dojoId: string) {
      await tx
        .delete(sessions)
        .where(inArray(sessions.account_id, tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.dojo_id, dojoId))))
      await tx.publish(TOPIC, dojoId)
    },
  }
}

/** Refuses a call whose session ended during the call, and locks the session until the transaction ends. */
export async function requireLiveSession(tx: Tx, { sessionId }: Caller): Promise<void> {
  const [session] = await tx.select({ id: sessions.token_hash }).from(sessions).where(eq(sessions.token_hash, sessionId)).for('update')
  if (!session) throw notSignedIn()
}

/** An SQL condition: the session of this id has not ended. */
export const isLiveSession = (sessionId: PgColumn): SQL => sql`exists (select from ${sessions}
  join ${accounts} on ${accounts.id} = ${sessions.account_id} where ${sessions.token_hash} = ${sessionId}
  and ${accounts.is_active} and ${sessions.last_used_at} > ${sinceIdle()})`

async function writeUse(tx: Tx, sessionId: string): Promise<boolean> {
  const used = await tx
    .update(sessions)
    .set({ last_used_at: nowIso() })
    .where(and(eq(sessions.token_hash, sessionId), gt(sessions.last_used_at, sinceIdle())))
    .returning({ id: sessions.token_hash })
  return used.length > 0
}

async function findSession(tx: Tx, sessionId: string): Promise<Session | null> {
  const [row] = await tx
    .select({ id: accounts.id, role: accounts.role, dojoId: accounts.dojo_id, lastUsedAt: sessions.last_used_at })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.account_id))
    .where(and(eq(sessions.token_hash, sessionId), eq(accounts.is_active, true), gt(sessions.last_used_at, sinceIdle())))
  return row ? { caller: { id: row.id, role: row.role, dojoId: row.dojoId, sessionId }, lastUsedAt: Date.parse(row.lastUsedAt) } : null
}

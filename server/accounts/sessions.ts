import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import type { EndReason, SignInStep } from '@tatami/contract/accounts/accounts'
import type { ListedSession } from '@tatami/contract/accounts/sign-in'
import { and, count, desc, eq, gt, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { type Cache, createCache } from '../db/cache.ts'
import { now, nowIso } from '../lib/clock.ts'
import type { Database, Tx } from '../db/database.ts'
import { type FairQueue, requesterByAddress } from '../http/fair-queue.ts'
import { notSignedIn } from '../lib/refusal.ts'
import { newSecret, sha256 } from '../lib/secrets.ts'
import type { Caller } from '../http/serve.ts'
import type { PubSub } from '../db/pubsub.ts'
import { describeDevice } from './device.ts'
import { lacksRequiredFactor } from './requirements.ts'
import { pick } from '../lib/rows.ts'
import { accounts, endedSessions, IDLE_DAYS, sessions } from './tables.ts'

const IDLE_MS = IDLE_DAYS * DAY_MS
/** Uses are recorded at most this often; polling rarely counts as use. */
const WRITE_USE_MS = 10 * 60_000,
  WRITE_POLLING_MS = 3_600_000
const MAX_CACHED = 20_000
const TOPIC = 'sessions-ended'
const ALL_SESSIONS = 'all'

const sinceIdle = () => new Date(now().getTime() - IDLE_MS).toISOString()
const isUnexpired = (): SQL => gt(sessions.last_used_at, sinceIdle())

export type Origin = { address: string; userAgent: string }

export async function openSession(tx: Tx, accountId: string, origin?: Origin): Promise<string> {
  const token = newSecret()
  await tx.insert(sessions).values({
    token_hash: sha256(token),
    account_id: accountId,
    last_used_at: nowIso(),
    ...(origin && { address: origin.address, device: describeDevice(origin.userAgent) }),
  })
  return token
}

type Session = { caller: Caller; lastUsedAt: number }
const endedBy = ({ caller }: Session) => [
  ALL_SESSIONS,
  caller.sessionId,
  caller.id,
  ...(caller.dojoId ? [caller.dojoId] : []),
]
export type Sessions = ReturnType<typeof createSessions>
type Use = { address: string; isPolled: boolean }

/** Looks up the callers of tokens with a cache, and ends sessions on all servers at once. Uses are
 *  recorded in the background, so that no call waits for it. */
export function createSessions(
  db: Database,
  pubsub: PubSub,
  anonymousQueue: FairQueue,
  runInBackground: (work: () => Promise<unknown>) => void,
) {
  const sessionCache: Cache<Session> = createCache(pubsub, {
    name: 'sessions',
    maxValues: MAX_CACHED,
    tagsOf: endedBy,
  })
  // A message names a session, an account or a dojo, or means all; sessions that have not ended
  // are loaded again.
  pubsub.subscribe(TOPIC, sessionCache.invalidate)

  return {
    async callerOf(token: string, { address, isPolled }: Use): Promise<Caller | null> {
      const sessionId = sha256(token)
      const session = await sessionCache.get(sessionId, () =>
        anonymousQueue(requesterByAddress(address), () =>
          db.withoutDojo((tx) => findSession(tx, sessionId)),
        ),
      )
      if (!session) return null
      const time = now().getTime(),
        unusedMs = time - session.lastUsedAt
      const record = () => db.withoutDojo((tx) => writeUse(tx, sessionId, time, address))
      if (unusedMs > IDLE_MS && !(await record())) return null
      if (unusedMs > (isPolled ? WRITE_POLLING_MS : WRITE_USE_MS)) {
        session.lastUsedAt = time
        if (unusedMs <= IDLE_MS) runInBackground(record)
      }
      return session.caller
    },
    endReasonOf: (token: string, address: string): Promise<EndReason | null> =>
      anonymousQueue(requesterByAddress(address), () =>
        db.withoutDojo(async (tx) => {
          const [endedSession] = await tx
            .select({ reason: endedSessions.reason })
            .from(endedSessions)
            .where(eq(endedSessions.token_hash, sha256(token)))
          return endedSession?.reason ?? null
        }),
      ),
    accountChanged: (tx: Tx, accountId: string) => tx.publish(TOPIC, accountId),
    rulesChanged: (tx: Tx) => tx.publish(TOPIC, ALL_SESSIONS),
    async endSession(tx: Tx, sessionId: string) {
      await tx.delete(sessions).where(eq(sessions.token_hash, sessionId))
      await tx.publish(TOPIC, sessionId)
    },
    async endSessionById(tx: Tx, accountId: string, id: string): Promise<boolean> {
      const endedIds = await endSessions(
        tx,
        and(eq(sessions.account_id, accountId), eq(sessions.id, id)),
        'signed-out',
      )
      for (const sessionId of endedIds) await tx.publish(TOPIC, sessionId)
      return endedIds.length > 0
    },
    async endOtherSessions(tx: Tx, { id, sessionId }: Caller, reason: EndReason): Promise<number> {
      const endedIds = await endSessions(
        tx,
        and(eq(sessions.account_id, id), ne(sessions.token_hash, sessionId)),
        reason,
      )
      for (const endedId of endedIds) await tx.publish(TOPIC, endedId)
      return endedIds.length
    },
    endSessionsOfAccount: endSessionsOf,
    async endSessionsOfDojo(tx: Tx, dojoId: string) {
      await tx
        .delete(sessions)
        .where(
          inArray(
            sessions.account_id,
            tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.dojo_id, dojoId)),
          ),
        )
      await tx.publish(TOPIC, dojoId)
    },
  }
}

export async function endSessionsOf(tx: Tx, accountId: string, reason?: EndReason): Promise<void> {
  await endSessions(tx, eq(sessions.account_id, accountId), reason)
  await tx.publish(TOPIC, accountId)
}

async function endSessions(
  tx: Tx,
  condition: SQL | undefined,
  reason?: EndReason,
): Promise<string[]> {
  const rows = await tx
    .delete(sessions)
    .where(condition)
    .returning({ token_hash: sessions.token_hash })
  if (reason && rows.length > 0)
    await tx
      .insert(endedSessions)
      .values(rows.map(({ token_hash }) => ({ token_hash, reason, ended_at: nowIso() })))
  return rows.map(({ token_hash }) => token_hash)
}

/** Refuses a call whose session ended during the call, and locks the session. */
export async function requireLiveSession(tx: Tx, { sessionId }: Caller): Promise<void> {
  const [session] = await tx
    .select({ id: sessions.token_hash })
    .from(sessions)
    .where(eq(sessions.token_hash, sessionId))
    .for('update')
  if (!session) throw notSignedIn()
}

export const isLiveSession = (sessionId: PgColumn): SQL => sql`exists (select from ${sessions}
  join ${accounts} on ${accounts.id} = ${sessions.account_id}
    where ${sessions.token_hash} = ${sessionId}
  and ${accounts.is_active} and ${sessions.last_used_at} > ${sinceIdle()})`

async function writeUse(
  tx: Tx,
  sessionId: string,
  usedAt: number,
  address: string,
): Promise<boolean> {
  const rows = await tx
    .update(sessions)
    .set({ last_used_at: new Date(usedAt).toISOString(), address })
    .where(and(eq(sessions.token_hash, sessionId), isUnexpired()))
    .returning({ id: sessions.token_hash })
  return rows.length > 0
}

/** What the session has to do before any other call is answered. */
const step = sql<SignInStep | null>`case when ${accounts.must_change_password} then 'choose-password'
  when ${lacksRequiredFactor(accounts, sessions.created_at)} then 'set-up-second-factor' end`

async function findSession(tx: Tx, sessionId: string): Promise<Session | null> {
  const [row] = await tx
    .select({
      id: accounts.id,
      role: accounts.role,
      dojoId: accounts.dojo_id,
      lastUsedAt: sessions.last_used_at,
      step,
    })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.account_id))
    .where(and(eq(sessions.token_hash, sessionId), eq(accounts.is_active, true), isUnexpired()))
  if (!row) return null
  const { lastUsedAt, ...identity } = row
  return { caller: { ...identity, sessionId }, lastUsedAt: Date.parse(lastUsedAt) }
}

export const firstStep = async (tx: Tx, token: string): Promise<SignInStep | null> =>
  (await findSession(tx, sha256(token)))?.caller.step ?? null

export async function isRecentSession(
  tx: Tx,
  { sessionId }: Caller,
  minutes: number,
): Promise<boolean> {
  const windowStart = new Date(now().getTime() - minutes * 60_000).toISOString()
  return (
    (await tx.$count(
      sessions,
      and(eq(sessions.token_hash, sessionId), gt(sessions.created_at, windowStart)),
    )) > 0
  )
}

export const sessionsOf = (tx: Tx, { id, sessionId }: Caller): Promise<ListedSession[]> =>
  tx
    .select({
      ...pick(sessions, 'id', 'device', 'address', 'created_at', 'last_used_at'),
      is_current: sql<boolean>`${sessions.token_hash} = ${sessionId}`,
    })
    .from(sessions)
    .where(and(eq(sessions.account_id, id), isUnexpired()))
    .orderBy(
      desc(sql`${sessions.token_hash} = ${sessionId}`),
      desc(sessions.last_used_at),
      sessions.id,
    )

/** Reads the whole table, so it is not for calls. */
export async function countLiveSessions(tx: Tx): Promise<number> {
  const [row] = await tx.select({ live: count() }).from(sessions).where(isUnexpired())
  return row?.live ?? 0
}

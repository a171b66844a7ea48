import { DAY_MS, utcDay } from '@tatami/contract/lib/calendar-day'
import type { EndReason, SignInStep } from '@tatami/contract/accounts/accounts'
import type { ListedSession } from '@tatami/contract/accounts/sign-in'
import { and, count, desc, eq, gt, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { type Cache, createCache } from '../db/cache.ts'
import { now, nowIso } from '../lib/clock.ts'
import { type Database, insideDojo, type Tx } from '../db/database.ts'
import { type FairQueue, requesterByAddress } from '../http/fair-queue.ts'
import { notSignedIn } from '../lib/refusal.ts'
import { newSecret, sha256 } from '../lib/secrets.ts'
import type { Caller } from '../http/serve.ts'
import type { PubSub } from '../db/pubsub.ts'
import { todayIn } from '../dojos/dojos.ts'
import { describeDevice } from './device.ts'
import { loadStaffCaller } from './staff-caller.ts'
import { lacksRequiredFactor } from './requirements.ts'
import { pick } from '../lib/rows.ts'
import { accounts, endedSessions, IDLE_DAYS, type RightsPreview, sessions } from './tables.ts'

const IDLE_MS = IDLE_DAYS * DAY_MS
/** How often the use of a session is recorded at most. Polling is recorded less often. */
const RECORD_USE_MS = 10 * 60_000
const RECORD_POLLING_MS = 3_600_000
const MAX_CACHED_SESSIONS = 20_000
const SESSIONS_TOPIC = 'sessions-ended'
const ALL_SESSIONS = 'all'

const getEarliestValidUse = () => new Date(now().getTime() - IDLE_MS).toISOString()
const isUnexpired = (): SQL => gt(sessions.last_used_at, getEarliestValidUse())

export type Origin = { address: string; userAgent: string }

export async function openSession(tx: Tx, accountId: string, origin?: Origin): Promise<string> {
  const token = newSecret()
  await tx.insert(sessions).values({
    token_hash: sha256(token),
    account_id: accountId,
    last_used_at: nowIso(),
    ...(origin && { address: origin.address, device: describeDevice(origin.userAgent) }),
  })
  await recordLastSeenDay(tx, accountId)
  return token
}

/** Records the day on which an instructor was last logged in. Changes the account at most once a
 *  day, because every change slows the calls that read it. */
async function recordLastSeenDay(tx: Tx, accountId: string): Promise<void> {
  const last_seen_on = utcDay(now())
  await tx
    .update(accounts)
    .set({ last_seen_on })
    .where(
      and(
        eq(accounts.id, accountId),
        eq(accounts.role, 'instructor'),
        sql`${accounts.last_seen_on} is distinct from ${last_seen_on}`,
      ),
    )
}

type Session = {
  caller: Caller
  openedAt: string
  lastUsedAt: number
  isInFamilyView: boolean
  rightsPreview: RightsPreview | null
  /** Set if the rights of a member of staff depend on the day. */
  validDay: { timeZone: string; day: string } | null
}
export type Sessions = ReturnType<typeof createSessions>
type SessionUse = { address: string; isPolled: boolean }

/** A message with one of these tags removes the session from the cache, so that it is loaded
 *  again. */
const listCacheTags = ({ caller }: Session) => [
  ALL_SESSIONS,
  caller.sessionId,
  caller.id,
  ...(caller.dojoId ? [caller.dojoId] : []),
]

/** Finds callers by their token, with a cache, and ends sessions immediately on all servers. */
export function createSessions(
  db: Database,
  pubsub: PubSub,
  anonymousQueue: FairQueue,
  runInBackground: (work: () => Promise<unknown>) => void,
) {
  const sessionCache: Cache<Session> = createCache(pubsub, {
    name: 'sessions',
    maxValues: MAX_CACHED_SESSIONS,
    tagsOf: listCacheTags,
  })
  pubsub.subscribe(SESSIONS_TOPIC, sessionCache.invalidate)

  /** Records the use of the session in the background, so that no call waits for it. */
  async function findCaller(
    token: string,
    { address, isPolled }: SessionUse,
  ): Promise<Caller | null> {
    const sessionId = sha256(token)
    const load = () => anonymousQueue(requesterByAddress(address), () => loadSession(db, sessionId))
    const cachedSession = await sessionCache.get(sessionId, load)
    if (cachedSession && isOutdated(cachedSession)) sessionCache.invalidate(sessionId)
    const session = await sessionCache.get(sessionId, load)
    if (!session) return null
    const usedAt = now().getTime()
    const unusedMs = usedAt - session.lastUsedAt
    const recordUse = () =>
      db.withoutDojo((tx) => recordUseInDatabase(tx, sessionId, usedAt, address))
    // The database decides whether the session has expired, because another server may have
    // recorded a later use.
    const seemsExpired = unusedMs > IDLE_MS
    if (seemsExpired && !(await recordUse())) return null
    if (unusedMs > (isPolled ? RECORD_POLLING_MS : RECORD_USE_MS)) {
      session.lastUsedAt = usedAt
      if (!seemsExpired) runInBackground(recordUse)
    }
    return session.caller
  }

  const findEndReasonByToken = (token: string, address: string): Promise<EndReason | null> =>
    anonymousQueue(requesterByAddress(address), () =>
      db.withoutDojo((tx) => findEndReason(tx, sha256(token))),
    )

  return {
    findCaller,
    findEndReasonByToken,
    publishAccountChange,
    publishRequirementsChange: (tx: Tx) => tx.publish(SESSIONS_TOPIC, ALL_SESSIONS),
    endSession,
    endSessionById,
    endOtherSessions,
    endSessionsOfAccount,
    endSessionsOfDojo,
  }
}

async function loadSession(db: Database, sessionId: string): Promise<Session | null> {
  const session = await db.withoutDojo((tx) => findSession(tx, sessionId))
  const dojoId = session && findStaffDojoId(session.caller)
  if (!dojoId) return session
  const loadedCaller = await db.inDojo(dojoId, (tx) => loadStaffCaller(tx, session))
  if (!loadedCaller) return null
  const { caller, timeZone } = loadedCaller
  const validDay = timeZone === null ? null : { timeZone, day: todayIn(timeZone) }
  return { ...session, caller, validDay }
}

const findStaffDojoId = ({ role, dojoId }: Caller): string | null =>
  role === 'instructor' ? dojoId : null

const isOutdated = ({ validDay }: Session): boolean =>
  validDay !== null && todayIn(validDay.timeZone) !== validDay.day

async function findEndReason(tx: Tx, sessionId: string): Promise<EndReason | null> {
  const [endedSession] = await tx
    .select({ reason: endedSessions.reason })
    .from(endedSessions)
    .where(eq(endedSessions.token_hash, sessionId))
  return endedSession?.reason ?? null
}

async function endSession(tx: Tx, sessionId: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.token_hash, sessionId))
  await tx.publish(SESSIONS_TOPIC, sessionId)
}

async function endSessionById(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const isRequestedSession = and(eq(sessions.account_id, accountId), eq(sessions.id, id))
  const endedIds = await deleteSessions(tx, isRequestedSession, 'signed-out')
  for (const sessionId of endedIds) await tx.publish(SESSIONS_TOPIC, sessionId)
  return endedIds.length > 0
}

async function endOtherSessions(
  tx: Tx,
  { id, sessionId }: Caller,
  reason: EndReason,
): Promise<number> {
  const isOtherSession = and(eq(sessions.account_id, id), ne(sessions.token_hash, sessionId))
  const endedIds = await deleteSessions(tx, isOtherSession, reason)
  for (const endedId of endedIds) await tx.publish(SESSIONS_TOPIC, endedId)
  return endedIds.length
}

/** Makes all servers load the sessions of the account again, with the current rights. */
export const publishAccountChange = (tx: Tx, accountId: string): Promise<void> =>
  tx.publish(SESSIONS_TOPIC, accountId)

/** Makes all servers load the sessions of all accounts of the dojo again. */
export const publishDojoAccountsChange = (tx: Tx, dojoId: string): Promise<void> =>
  tx.publish(SESSIONS_TOPIC, dojoId)

export async function endSessionsOfAccount(
  tx: Tx,
  accountId: string,
  reason?: EndReason,
): Promise<void> {
  await deleteSessions(tx, eq(sessions.account_id, accountId), reason)
  await tx.publish(SESSIONS_TOPIC, accountId)
}

async function endSessionsOfDojo(tx: Tx, dojoId: string): Promise<void> {
  const accountIds = tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.dojo_id, dojoId))
  await tx.delete(sessions).where(inArray(sessions.account_id, accountIds))
  await tx.publish(SESSIONS_TOPIC, dojoId)
}

async function deleteSessions(
  tx: Tx,
  condition: SQL | undefined,
  reason?: EndReason,
): Promise<string[]> {
  const deletedSessions = await tx
    .delete(sessions)
    .where(condition)
    .returning({ token_hash: sessions.token_hash })
  if (reason && deletedSessions.length > 0)
    await tx
      .insert(endedSessions)
      .values(deletedSessions.map(({ token_hash }) => ({ token_hash, reason, ended_at: nowIso() })))
  return deletedSessions.map(({ token_hash }) => token_hash)
}

/** Locks the session. Throws 401 if the session has ended since the call began. */
export async function requireLiveSession(tx: Tx, { sessionId }: Caller): Promise<void> {
  const [session] = await tx
    .select({ id: sessions.token_hash })
    .from(sessions)
    .where(eq(sessions.token_hash, sessionId))
    .for('update')
  if (!session) throw notSignedIn()
}

/** SQL condition: the session exists and has not expired, and its account is active. */
export const isLiveSession = (sessionId: PgColumn): SQL => sql`exists (select from ${sessions}
  join ${accounts} on ${accounts.id} = ${sessions.account_id}
    where ${sessions.token_hash} = ${sessionId}
  and ${accounts.is_active} and ${sessions.last_used_at} > ${getEarliestValidUse()})`

/** Returns false if the session has expired. */
async function recordUseInDatabase(
  tx: Tx,
  sessionId: string,
  usedAt: number,
  address: string,
): Promise<boolean> {
  const rows = await tx
    .update(sessions)
    .set({ last_used_at: new Date(usedAt).toISOString(), address })
    .where(and(eq(sessions.token_hash, sessionId), isUnexpired()))
    .returning({ accountId: sessions.account_id })
  for (const { accountId } of rows) await recordLastSeenDay(tx, accountId)
  return rows.length > 0
}

const signInStep = sql<SignInStep | null>`case
  when ${accounts.must_change_password} then 'choose-password'
  when ${lacksRequiredFactor(accounts, sessions.created_at)} then 'set-up-second-factor' end`

async function findSession(tx: Tx, sessionId: string): Promise<Session | null> {
  const [row] = await tx
    .select({
      id: accounts.id,
      role: accounts.role,
      dojoId: accounts.dojo_id,
      openedAt: sessions.created_at,
      lastUsedAt: sessions.last_used_at,
      isInFamilyView: sessions.is_in_family_view,
      rightsPreview: sessions.seen_as,
      step: signInStep,
    })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.account_id))
    .where(and(eq(sessions.token_hash, sessionId), eq(accounts.is_active, true), isUnexpired()))
  if (!row) return null
  const { openedAt, lastUsedAt, isInFamilyView, rightsPreview, ...account } = row
  return {
    caller: { ...account, sessionId, staff: null },
    openedAt,
    lastUsedAt: Date.parse(lastUsedAt),
    isInFamilyView,
    rightsPreview,
    validDay: null,
  }
}

export async function findSignInStep(tx: Tx, token: string): Promise<SignInStep | null> {
  const session = await findSession(tx, sha256(token))
  const dojoId = session && findStaffDojoId(session.caller)
  if (!dojoId) return session?.caller.step ?? null
  const staff = await insideDojo(tx, dojoId, (dojoTx) => loadStaffCaller(dojoTx, session))
  return staff?.caller.step ?? null
}

export async function isRecentSession(
  tx: Tx,
  { sessionId }: Caller,
  minutes: number,
): Promise<boolean> {
  const windowStart = new Date(now().getTime() - minutes * 60_000).toISOString()
  const isRecent = and(eq(sessions.token_hash, sessionId), gt(sessions.created_at, windowStart))
  return (await tx.$count(sessions, isRecent)) > 0
}

export const listSessions = (tx: Tx, { id, sessionId }: Caller): Promise<ListedSession[]> =>
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

/** Only for metrics. It reads the whole table, which is too slow for an API call. */
export async function countLiveSessions(tx: Tx): Promise<number> {
  const [row] = await tx.select({ count: count() }).from(sessions).where(isUnexpired())
  return row?.count ?? 0
}

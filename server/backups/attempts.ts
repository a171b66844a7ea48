import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { DEFAULT_TIME_ZONE } from '@tatami/contract/dojos/dojos'
import type { BackupStatus } from '@tatami/contract/backups/backups'
import { and, desc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import { findFirstSuperAdminDate } from '../accounts/accounts.ts'
import { ADVISORY_LOCKS } from '../db/advisory-locks.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { now, nowIso } from '../lib/clock.ts'
import { firstRow } from '../lib/rows.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { ATTEMPTS_KEPT_DAYS, backups } from './tables.ts'

const HOUR_MS = 3_600_000
/** Nightly backups begin at 3 a.m. */
const NIGHT_HOUR = 3
const RETRY_AFTER_MS = HOUR_MS
const LATE_AFTER_HOURS = 36
const LATE_AFTER_MS = LATE_AFTER_HOURS * HOUR_MS

const SERVER_STOPPED = 'The server stopped while making the backup.'
export const NO_RECENT_BACKUP = `No backup has been made for ${LATE_AFTER_HOURS} hours.`

const isRecent = () =>
  gt(backups.started_at, new Date(now().getTime() - ATTEMPTS_KEPT_DAYS * DAY_MS).toISOString())

async function findNewestAttempt(tx: Tx, condition: ReturnType<typeof and>) {
  const [attempt] = await tx
    .select()
    .from(backups)
    .where(and(isRecent(), condition))
    .orderBy(desc(backups.started_at))
    .limit(1)
  return attempt
}

const findLastSuccess = (tx: Tx) =>
  findNewestAttempt(tx, and(isNotNull(backups.finished_at), isNull(backups.failure)))
const findLastBackupOrInstallation = async (tx: Tx) =>
  (await findLastSuccess(tx))?.started_at ?? (await findFirstSuperAdminDate(tx)) ?? nowIso()

const findNight = (instant: Date) =>
  todayIn(DEFAULT_TIME_ZONE, new Date(instant.getTime() - NIGHT_HOUR * HOUR_MS))
const isOlderThan = (instant: string, ms: number) => now().getTime() - Date.parse(instant) > ms

/** Records the start of a backup and returns its id, if a backup is due. After a failure, the next
 *  backup is due an hour later. */
export async function claimBackup(tx: Tx): Promise<string | undefined> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(${sql.raw(String(ADVISORY_LOCKS.nightlyBackup))})`,
  )
  if (findNight(new Date(await findLastBackupOrInstallation(tx))) >= findNight(now()))
    return undefined
  const lastAttempt = await findNewestAttempt(tx, undefined)
  if (lastAttempt && !isOlderThan(lastAttempt.started_at, RETRY_AFTER_MS)) return undefined
  const { rows } = await tx.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(${sql.raw(String(ADVISORY_LOCKS.backup))}) as free`,
  )
  if (!firstRow(rows).free) return undefined
  await tx
    .update(backups)
    .set({ finished_at: nowIso(), failure: SERVER_STOPPED })
    .where(and(isRecent(), isNull(backups.finished_at)))
  const id = newId()
  await tx.insert(backups).values({ id })
  return id
}

export const recordBackup = async (
  tx: Tx,
  id: string,
  { file, bytes }: { file: string; bytes: number },
): Promise<void> =>
  void (await tx
    .update(backups)
    .set({ finished_at: nowIso(), file, bytes })
    .where(eq(backups.id, id)))

/** Deletes an attempt that a shutdown interrupted, so that the next server makes the backup. */
export const withdrawBackup = async (tx: Tx, id: string): Promise<void> =>
  void (await tx.delete(backups).where(eq(backups.id, id)))

const isReported = async (tx: Tx) =>
  Boolean(
    await findNewestAttempt(
      tx,
      and(
        eq(backups.is_reported, true),
        gt(backups.started_at, await findLastBackupOrInstallation(tx)),
      ),
    ),
  )

/** Returns true if super admins must be notified, which is only once until a backup succeeds. */
export async function recordFailure(tx: Tx, id: string, failure: string): Promise<boolean> {
  const is_reported = !(await isReported(tx))
  await tx
    .update(backups)
    .set({ finished_at: nowIso(), failure, is_reported })
    .where(eq(backups.id, id))
  return is_reported
}

/** Records once that no backup was made for 36 hours. Returns true if super admins must be
 *  notified. */
export async function recordMissing(tx: Tx): Promise<boolean> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(${sql.raw(String(ADVISORY_LOCKS.nightlyBackup))})`,
  )
  const lastBackup = await findLastSuccess(tx)
  if (!lastBackup || !isOlderThan(lastBackup.started_at, LATE_AFTER_MS) || (await isReported(tx)))
    return false
  await tx
    .insert(backups)
    .values({ finished_at: nowIso(), failure: NO_RECENT_BACKUP, is_reported: true })
  return true
}

export async function readBackupStatus(tx: Tx, isOn: boolean): Promise<BackupStatus> {
  const lastBackup = await findLastSuccess(tx)
  const failedBackup = await findNewestAttempt(tx, isNotNull(backups.failure))
  const failure =
    failedBackup && (!lastBackup || failedBackup.started_at > lastBackup.started_at)
      ? { at: failedBackup.started_at, reason: failedBackup.failure ?? SERVER_STOPPED }
      : null
  return {
    is_on: isOn,
    is_late:
      (isOn || lastBackup !== undefined) &&
      isOlderThan(await findLastBackupOrInstallation(tx), LATE_AFTER_MS),
    last: lastBackup
      ? {
          made_at: lastBackup.started_at,
          bytes: mustExist(lastBackup.bytes, 'The size'),
          file: mustExist(lastBackup.file, 'The file'),
        }
      : null,
    failure,
  }
}

import { now } from '../lib/clock.ts'
import { findNewestFile } from '../lib/newest-file.ts'
import { errorCodeOf, formatCount, type Finding, ok, problem, warning } from './finding.ts'

const HOUR_MS = 3_600_000
/** A nightly backup is at most a day old. The other half day allows for a server that was off. */
const OLD_HOURS = 36
const MAKE_BACKUP =
  'Make one now: npm run backup. A running server makes one every night ' +
  '(docs/OPERATIONS.md, Backup and restore).'

export async function checkBackups(backupDir: string | null): Promise<Finding> {
  if (backupDir === null)
    return warning(
      'Backups',
      'There are no nightly backups, because BACKUP_DIR is none.',
      'Remove BACKUP_DIR, or back up the database yourself.',
    )
  let newestBackup: Awaited<ReturnType<typeof findNewestFile>>
  try {
    newestBackup = await findNewestFile(backupDir)
  } catch (error) {
    return problem(
      'Backups',
      `Cannot read the backups in ${backupDir} (${errorCodeOf(error)}).`,
      'Run the doctor as root or as the user that runs Tatami, or correct BACKUP_DIR.',
    )
  }
  if (!newestBackup)
    return warning('Backups', `There are no backups in ${backupDir} yet.`, MAKE_BACKUP)
  const hours = (now().getTime() - newestBackup.modified.getTime()) / HOUR_MS
  const age =
    hours < 48
      ? formatCount(Math.max(0, Math.round(hours)), 'hour')
      : formatCount(Math.round(hours / 24), 'day')
  return hours > OLD_HOURS
    ? problem('Backups', `The newest backup, ${newestBackup.name}, is ${age} old.`, MAKE_BACKUP)
    : ok('Backups', `The newest backup, ${newestBackup.name}, is ${age} old.`)
}

import { now } from '../lib/clock.ts'
import { newestFile } from '../lib/newest-file.ts'
import { codeOf, type Finding, ok, problem, warning } from './finding.ts'

const HOUR_MS = 3_600_000
const OLD_HOURS = 36
const REMEDY =
  'Make one now: npm run backup. While a server runs, one is made every night ' +
  '(docs/OPERATIONS.md, Backup and restore).'

export async function checkBackups(backupDir: string | null): Promise<Finding> {
  if (backupDir === null)
    return warning(
      'Backups',
      'None is made by night: BACKUP_DIR is none.',
      'Remove BACKUP_DIR, or see to backups yourself.',
    )
  let newest: Awaited<ReturnType<typeof newestFile>>
  try {
    newest = await newestFile(backupDir)
  } catch (error) {
    return problem(
      'Backups',
      `The backups in ${backupDir} cannot be looked at (${codeOf(error)}).`,
      'Run this as root or as the user who runs Tatami, or correct BACKUP_DIR.',
    )
  }
  if (!newest) return warning('Backups', `There is none yet in ${backupDir}.`, REMEDY)
  const hours = (now().getTime() - newest.modified.getTime()) / HOUR_MS
  const age =
    hours < 48 ? `${Math.max(0, Math.round(hours))} hours` : `${Math.round(hours / 24)} days`
  return hours > OLD_HOURS
    ? problem('Backups', `The newest backup, ${newest.name}, is ${age} old.`, REMEDY)
    : ok('Backups', `The newest, ${newest.name}, is ${age} old.`)
}

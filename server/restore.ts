/** `npm run restore <file>`: restores a backup into an empty database. */
import { resolve } from 'node:path'
import { BackupError } from './backups/backup-error.ts'
import { openBackup } from './backups/backup-file.ts'
import { restore } from './backups/restore.ts'
import { openDatabaseForCommand, runCommand } from './command-line.ts'
import { DATABASE_RULES } from './database-rules.ts'
import { readEnv } from './env.ts'

await runCommand(async () => {
  const [argument] = process.argv.slice(2)
  if (!argument) throw new BackupError('Name the file: npm run restore -- /path/to/tatami-….zip')
  const path = resolve(readEnv().callerDir, argument)
  // Checks the file before a database is created.
  ;(await openBackup(path)).close()
  const { databaseUrl, close } = await openDatabaseForCommand({ mayCreate: true })
  try {
    const { manifest, waitingTexts, hasAuditLog, isFromFuture } = await restore(
      { databaseUrl, path },
      DATABASE_RULES,
    )
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    console.log(`Restored ${rows.toLocaleString('en')} rows, as they were on ${manifest.made_at}.`)
    if (isFromFuture)
      console.warn(
        'That day is in the future. The clock of this computer may be wrong, the clock of the ' +
          'computer that made the backup may have been wrong, or somebody may have changed the ' +
          'file. Check the clock, and check that this is the right backup.',
      )
    if (!hasAuditLog)
      console.warn(
        'The audit log of this backup is empty, so you cannot look up who did what before it ' +
          'was made. If Tatami was in use then, somebody has emptied the log. Use another ' +
          'backup if you can.',
      )
    if (waitingTexts > 0)
      console.log(
        `${waitingTexts} texts were waiting to be sent. Tatami sends them when it starts. ` +
          'To look at them first, start Tatami with SMS_PROVIDER=none.',
      )
  } finally {
    await close()
  }
})

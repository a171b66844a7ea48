/** `npm run backup [file or folder]`: makes a backup, whether or not the server is running. */
import { existsSync, statSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { toBackupError } from './backups/backup-error.ts'
import { backUp } from './backups/back-up.ts'
import { manualFileName } from './backups/rotation.ts'
import { openDatabaseForCommand, runCommand } from './command-line.ts'
import { nowIso } from './lib/clock.ts'

await runCommand(async () => {
  const { databaseUrl, backupDir, env, close } = await openDatabaseForCommand({ mayCreate: false })
  try {
    const [argument] = process.argv.slice(2)
    const target = resolve(env.callerDir, argument ?? backupDir)
    const isFolder =
      argument === undefined || (existsSync(target) && statSync(target).isDirectory())
    const path = isFolder ? join(target, manualFileName(nowIso())) : target
    await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw toBackupError(error, `${dirname(path)} cannot be created`)
    })
    const { tables } = await backUp({ databaseUrl, path })
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    const { size } = await stat(path)
    console.log(
      `Backed up ${rows.toLocaleString('en')} rows to ${path} (${(size / 1e6).toFixed(1)} MB).`,
    )
  } finally {
    await close()
  }
})

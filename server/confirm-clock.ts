/** `npm run confirm-clock`: resumes scheduled work after the server was off for over a week. */
import pg from 'pg'
import { BackupError } from './backups/backup-error.ts'
import { openDatabaseForCommand, runCommand } from './command-line.ts'
import { becomeOwner } from './db/migrate.ts'
import { now, nowIso } from './lib/clock.ts'
import { firstRow } from './lib/rows.ts'
import { judgeClocks } from './db/trusted-clock.ts'

await runCommand(async () => {
  const { databaseUrl, close } = await openDatabaseForCommand({ mayCreate: false })
  const client = new pg.Client({ connectionString: databaseUrl })
  try {
    await client.connect()
    const { rows } = await client.query<{ database: Date }>('select clock_timestamp() as database')
    const database = firstRow(rows).database.getTime()
    if (!judgeClocks({ database, server: now().getTime(), lastSeen: null }).trusted)
      throw new BackupError(
        'The clocks of this machine and of the database differ by several minutes. Set them ' +
          'first: run "timedatectl set-ntp true", or install chrony.',
      )
    await becomeOwner(client)
    await client.query('update system_config set clock_seen_at = clock_timestamp()')
    console.log(`It is ${nowIso()}. Scheduled work resumes within a minute.`)
  } finally {
    await client.end()
    await close()
  }
})

import { join } from 'node:path'
import { BackupError } from './backups/backup-error.ts'
import { findEmbeddedDatabase, startEmbeddedDatabase } from './db/embedded-database.ts'
import { type Env, readEnv } from './env.ts'
import { driverError, sqlState } from './db/database-errors.ts'
import { StartupError } from './lib/startup-error.ts'

type OpenDatabase = { databaseUrl: string; dataDir: string; close: () => Promise<unknown> }

type CommandDatabase = {
  databaseUrl: string
  backupDir: string
  env: Env
  close: () => Promise<unknown>
}

async function openDatabase(env: Env, mayCreate: boolean): Promise<OpenDatabase> {
  if (env.databaseUrl)
    return { databaseUrl: env.databaseUrl, dataDir: env.dataDir, close: async () => {} }
  const options = { dataDir: env.dataDir, mayRelocate: env.dataDirIsDefault }
  const embeddedDatabase = findEmbeddedDatabase(options)
  if (!embeddedDatabase && !mayCreate)
    throw new BackupError(
      `There is no database in ${env.dataDir}. Set DATA_DIR or DATABASE_URL to its location.`,
    )
  if (embeddedDatabase?.login && !mayCreate)
    return {
      databaseUrl: embeddedDatabase.login.url,
      dataDir: embeddedDatabase.dataDir,
      close: async () => {},
    }
  const { logins, dataDir, stop } = await startEmbeddedDatabase({
    ...options,
    log: (line) => console.log(line),
  })
  return { databaseUrl: logins.postgres.url, dataDir, close: stop }
}

/** Opens the configured or the embedded database, even while a server uses it. With `mayCreate`, it
 *  creates a missing embedded database, and no server may be running. */
export async function openDatabaseForCommand({
  mayCreate,
}: {
  mayCreate: boolean
}): Promise<CommandDatabase> {
  const env = readEnv()
  const { databaseUrl, dataDir, close } = await openDatabase(env, mayCreate)
  return { databaseUrl, backupDir: env.backupDir ?? join(dataDir, 'backups'), env, close }
}

export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    const isExpected = error instanceof BackupError || error instanceof StartupError
    if (isExpected) console.error(error.message)
    else
      console.error(
        sqlState(error) ? `The database reports: ${driverError(error).message ?? ''}` : error,
      )
    process.exitCode = 1
  }
}

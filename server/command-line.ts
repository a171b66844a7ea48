import { join } from 'node:path'
import { BackupError } from './backups/backup-error.ts'
import { findEmbeddedDatabase, startEmbeddedDatabase } from './db/embedded-database.ts'
import { type Env, readEnv } from './env.ts'
import { driverError, sqlState } from './db/database-errors.ts'
import { StartupError } from './lib/startup-error.ts'

type Opened = { databaseUrl: string; dataDir: string; close: () => Promise<unknown> }

/** `databaseUrl` is the login that migrates; `backupDir` is where backups go unless another place is named. */
type Target = {
  databaseUrl: string
  backupDir: string
  env: Env
  close: () => Promise<unknown>
}

const open = async (env: Env, mayCreate: boolean): Promise<Opened> => {
  if (env.databaseUrl)
    return { databaseUrl: env.databaseUrl, dataDir: env.dataDir, close: async () => {} }
  const options = { dataDir: env.dataDir, mayRelocate: env.dataDirIsDefault }
  const found = findEmbeddedDatabase(options)
  if (!found && !mayCreate)
    throw new BackupError(
      `There is no database in ${env.dataDir}. DATA_DIR or DATABASE_URL says where it is.`,
    )
  if (found?.login && !mayCreate)
    return { databaseUrl: found.login.url, dataDir: found.dataDir, close: async () => {} }
  const { logins, dataDir, stop } = await startEmbeddedDatabase({
    ...options,
    log: (line) => console.log(line),
  })
  return { databaseUrl: logins.postgres.url, dataDir, close: stop }
}

/** Opens the database of the settings, for a command: the given one; the embedded one beside the server that runs it, or on its own.
 *  With `mayCreate` the command has the embedded one for itself, and it is made where it is missing. */
export async function openTarget({ mayCreate }: { mayCreate: boolean }): Promise<Target> {
  const env = readEnv()
  const { databaseUrl, dataDir, close } = await open(env, mayCreate)
  return { databaseUrl, backupDir: env.backupDir ?? join(dataDir, 'backups'), env, close }
}

/** Runs a command and prints, in one line, why it cannot do what it is for. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    const isExpected = error instanceof BackupError || error instanceof StartupError
    if (isExpected) console.error(error.message)
    else
      console.error(
        sqlState(error) ? `The database refused: ${driverError(error).message ?? ''}` : error,
      )
    process.exitCode = 1
  }
}

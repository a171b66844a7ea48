import { statSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { findBinaries } from './binaries.ts'
import {
  ensureCluster,
  loadPasswords,
  type PostgresSettings,
  removeUnfinishedFiles,
  writeSettings,
} from './cluster.ts'
import {
  type Application,
  checkOwnership,
  createUserFolder,
  findDataFolder,
  prepareDataFolder,
  socketFolder,
  withFolderErrors,
} from './data-folder.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { acquireLock, keepLock } from './lock.ts'
import {
  isPostmasterRunning,
  type Postmaster,
  startPostmaster,
  stopPostmaster,
} from './postmaster.ts'

export { EmbeddedPostgresError, type EmbeddedPostgresErrorCode } from './errors.ts'

type Login = { url: string; password: string }

export type EmbeddedPostgres<Role extends string = never> = {
  /** The logins of the superuser and of `roles`. The caller creates these roles with their
   *  passwords. */
  logins: Record<'postgres' | Role, Login>
  /** The real path of the requested folder, or of the folder that is used instead. */
  dataDir: string
  stop: () => Promise<void>
}

export type EmbeddedPostgresOptions<Role extends string = never> = {
  application: Application
  dataDir: string
  /** If root starts this and the system user cannot reach `dataDir`, use a folder in
   *  `/var/lib/<id>`. By default, the start throws. */
  mayRelocate?: boolean
  database: string
  roles?: readonly Role[]
  log?: (line: string) => void
  onStarting?: () => void
  /** Is called if another process has taken over the data folder. */
  onLost?: (reason: Error) => void
  settings?: PostgresSettings
}

const DEFAULT_SETTINGS: PostgresSettings = {
  listen_addresses: '',
  port: 5432,
  unix_socket_permissions: '0700',
  max_connections: 100,
  shared_buffers: '128MB',
  max_parallel_workers_per_gather: 0,
  timezone: 'UTC',
  logging_collector: 'on',
  log_filename: 'postgres-%a.log',
  log_truncate_on_rotation: 'on',
  log_rotation_age: '1d',
  log_rotation_size: 0,
  // Hides PostgreSQL's messages about failed statements, because they contain personal data.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
}

/** Starts PostgreSQL, or uses the server that still runs after its process was killed. */
export async function startEmbeddedPostgres<Role extends string = never>({
  application,
  dataDir: requestedDir,
  mayRelocate = false,
  database,
  roles = [],
  log = () => {},
  onStarting = () => {},
  onLost = () => {},
  settings = {},
}: EmbeddedPostgresOptions<Role>): Promise<EmbeddedPostgres<Role>> {
  const folder = await prepareDataFolder({ application, dataDir: requestedDir, mayRelocate, log })
  const { dataDir, user } = folder
  checkOwnership(folder, application)
  const bin = await findBinaries(user, application)
  const allRoles = ['postgres', ...roles] as const
  const passwords = loadPasswords(folder, allRoles)
  const settingsFile = `${application.id}.conf`
  const cluster = await ensureCluster(folder, {
    bin,
    superuserPassword: passwords.postgres,
    settingsFile,
    skipSync: settings.fsync === 'off',
  })
  const logDir = createUserFolder(user, join(dataDir, 'postgres-log'))
  const socketDir = createUserFolder(
    user,
    socketFolder(dataDir, user?.uid ?? process.getuid?.() ?? 0, application),
  )
  const postmaster: Postmaster = { user, bin, cluster, socketDir, logDir }
  let hasStarted = false
  async function start() {
    const directories = { unix_socket_directories: postmaster.socketDir, log_directory: logDir }
    writeSettings(folder, join(cluster, settingsFile), {
      ...DEFAULT_SETTINGS,
      ...directories,
      ...settings,
    })
    const startResult = startPostmaster(postmaster)
    onStarting()
    const result = await startResult
    hasStarted ||= result.ok
    return result
  }
  const acquire = () =>
    acquireLock({
      postmaster,
      dataDir,
      applicationName: application.name,
      superuserPassword: passwords.postgres,
      start,
    })
  let lockConnection: pg.Client
  try {
    lockConnection = await acquire()
    removeUnfinishedFiles(folder)
    await ensureDatabase(lockConnection, database)
  } catch (error) {
    const isInUse = error instanceof EmbeddedPostgresError && error.code === 'already_running'
    if (hasStarted && !isInUse) await stopPostmaster(postmaster)
    throw error
  }
  const releaseLock = keepLock(lockConnection, acquire, { log, onLost })
  async function stop() {
    const connection = await releaseLock()
    if (!(await stopPostmaster(postmaster))) log(`The database in ${dataDir} could not be stopped.`)
    await connection.end().catch(() => {})
  }
  let stopResult: Promise<void> | undefined
  const createRoleLogin = (role: (typeof allRoles)[number]): Login =>
    createLogin({ role, password: passwords[role], database, ...postmaster })
  return {
    logins: Object.fromEntries(allRoles.map((role) => [role, createRoleLogin(role)])) as Record<
      'postgres' | Role,
      Login
    >,
    dataDir,
    // A second stop could stop a server that another process has started in the meantime.
    stop: () => (stopResult ??= stop()),
  }
}

/** Finds an existing data folder and, if its server runs, the superuser's login. */
export function findEmbeddedPostgres({
  application,
  dataDir: requestedDir,
  mayRelocate = false,
  database,
}: Pick<EmbeddedPostgresOptions, 'application' | 'dataDir' | 'mayRelocate' | 'database'>):
  | { dataDir: string; login: Login | undefined }
  | undefined {
  const dataDir = findDataFolder({ application, dataDir: requestedDir, mayRelocate })
  if (!dataDir) return undefined
  const cluster = join(dataDir, 'postgres')
  return withFolderErrors(dataDir, () => {
    if (!isPostmasterRunning(cluster)) return { dataDir, login: undefined }
    const { postgres: password } = loadPasswords({ dataDir, user: undefined }, ['postgres'])
    const socketDir = socketFolder(dataDir, statSync(cluster).uid, application)
    return { dataDir, login: createLogin({ role: 'postgres', password, database, socketDir }) }
  })
}

type LoginParts = { role: string; password: string; database: string; socketDir: string }

const createLogin = ({ role, password, database, socketDir }: LoginParts): Login => ({
  url: `postgresql://${role}:${password}@localhost/${database}?host=${encodeURIComponent(socketDir)}&port=5432&sslmode=disable`,
  password,
})

async function ensureDatabase(client: pg.Client, name: string) {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
  if (!rowCount) await client.query(`create database ${client.escapeIdentifier(name)}`)
}

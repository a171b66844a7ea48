import { join } from 'node:path'
import type pg from 'pg'
import { binariesFor } from './binaries.ts'
import { clearDrafts, clusterIn, secretsIn, writeSettings, type PostgresSettings } from './cluster.ts'
import { AlreadyRunning, enterAlone } from './lock.ts'
import { requireOwner } from './owner.ts'
import { placeFor, privateFolder, shortHash, type Place } from './place.ts'
import { keepEntered } from './watch.ts'
import { SOCKET, startPostmaster, stopPostmaster, type Postmaster } from './postmaster.ts'

export type EmbeddedPostgres = {
  /** The superuser's login to the database `tatami`. */
  databaseUrl: string
  /** The login of the role `tatami_app`, once that has been made with `appPassword`. */
  appDatabaseUrl: string
  appPassword: string
  /** Where the data is in the end. */
  dataDir: string
  stop: () => Promise<void>
}

type Options = {
  dataDir: string
  dataDirIsDefault: boolean
  /** Hears, line by line, what whoever started Tatami should know. */
  say: (line: string) => void
  /** Hears why the database is lost for good, should that happen while it is in use. */
  onLost?: (reason: Error) => void
  /** Over ours. With `fsync: 'off'` nothing outlives a power cut, and everything is quicker: for tests. */
  settings?: PostgresSettings
}

const DATABASE = 'tatami'
/** sun_path holds 104 bytes on macOS and 108 on Linux. */
const SOCKET_PATH_LIMIT = 100

const OURS: PostgresSettings = {
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
  // A statement that fails is the server's to log: PostgreSQL's own words on it would carry people's data.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
}

/** Starts the PostgreSQL that comes with Tatami, or adopts the one that a killed Tatami left running, and keeps it up until `stop`. */
export async function startEmbeddedPostgres({
  dataDir,
  dataDirIsDefault,
  say,
  onLost = () => {},
  settings = {},
}: Options): Promise<EmbeddedPostgres> {
  const place = await placeFor({ dataDir, dataDirIsDefault, say })
  requireOwner(place)
  const bin = await binariesFor(place.user)
  const secrets = secretsIn(place)
  const cluster = await clusterIn(place, bin, secrets.postgres, settings.fsync === 'off')
  const postmaster: Postmaster = {
    user: place.user,
    bin,
    cluster,
    socketDir: socketDirOf(place),
    logDir: privateFolder(place.user, join(place.dataDir, 'postgres-log')),
  }
  let isOurs = false
  const entrance = {
    postmaster,
    dataDir: place.dataDir,
    password: secrets.postgres,
    async start() {
      writeSettings(place, cluster, {
        ...OURS,
        unix_socket_directories: postmaster.socketDir,
        log_directory: postmaster.logDir,
        ...settings,
      })
      const started = await startPostmaster(postmaster)
      isOurs ||= started.ok
      return started
    },
  }
  const holder = await enterAlone(entrance)
    .then(async (client) => {
      clearDrafts(place)
      await ensureDatabase(client)
      return client
    })
    .catch(async (error: unknown) => {
      if (isOurs && !(error instanceof AlreadyRunning)) await stopPostmaster(postmaster)
      throw error
    })
  const stopWatching = keepEntered(holder, () => enterAlone(entrance), { say, onLost })

  let stopping: Promise<void> | undefined
  async function stop() {
    const last = await stopWatching()
    if (!(await stopPostmaster(postmaster))) say(`The database in ${place.dataDir} does not stop.`)
    await last.end().catch(() => {})
  }

  const login = (name: keyof typeof secrets) =>
    `postgresql://${name}:${secrets[name]}@localhost/${DATABASE}?host=${encodeURIComponent(postmaster.socketDir)}&port=5432&sslmode=disable`
  return {
    databaseUrl: login('postgres'),
    appDatabaseUrl: login('tatami_app'),
    appPassword: secrets.tatami_app,
    dataDir: place.dataDir,
    // Once: a second stop would meet a server that somebody has started since.
    stop: () => (stopping ??= stop()),
  }
}

// Not os.tmpdir(): the place has to be the same whatever the environment of a later start says.
function socketDirOf({ dataDir, user }: Place): string {
  const inside = join(dataDir, 'postgres-socket')
  const fits = Buffer.byteLength(join(inside, SOCKET)) < SOCKET_PATH_LIMIT
  return privateFolder(user, fits ? inside : `/tmp/tatami-${user?.uid ?? process.getuid?.()}-${shortHash(dataDir)}`)
}

async function ensureDatabase(client: pg.Client) {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
  if (!rowCount) await client.query(`create database ${DATABASE}`)
}

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { runningPostmaster, type Postmaster, type Started } from './postmaster.ts'
import { StartRefusal } from './start-refusal.ts'

const POLL_MS = 50
/** The session of a killed holder takes a moment to end. */
/** Held on a connection of its own: it goes when its holder goes, however that goes. */
const ADVISORY_LOCK = 7_281_000
const LOCK_PATIENCE_MS = 2_000
const START_PATIENCE_MS = 15_000,
  RECOVERY_PATIENCE_MS = 600_000,
  CONNECT_TIMEOUT_MS = 5_000

/** Somebody else holds the lock. */
export class AlreadyRunning extends StartRefusal {}

type Entrance = { postmaster: Postmaster; dataDir: string; password: string; start: () => Promise<Started> }

/** The superuser's connection that holds the lock. Where no server answers, one is started; where one is on its way up or down, it is waited for. */
export async function enterAlone({ postmaster: { cluster, socketDir }, dataDir, password, start }: Entrance): Promise<pg.Client> {
  const from = performance.now()
  for (;;) {
    const client = new pg.Client({
      host: socketDir,
      port: 5432,
      user: 'postgres',
      password,
      database: 'postgres',
      ssl: false,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    })
    client.on('error', () => {})
    const failure = await client
      .connect()
      .then(() => hold(client, dataDir))
      .then(
        () => undefined,
        (error: Error & { code?: string }) => error,
      )
    if (!failure) return client
    await client.end().catch(() => {})

    const { code = '' } = failure
    let complaint = failure.message
    if (failure instanceof StartRefusal) throw failure
    if (code.startsWith('28')) throw new StartRefusal(`The passwords in ${dataDir} do not fit the database beside them: ${complaint}`)
    if (['ENOENT', 'ECONNREFUSED'].includes(code) && runningPostmaster(cluster) === undefined) {
      const started = await start()
      if (started.ok) continue
      complaint = started.complaint
      if (!started.isPassing) throw new StartRefusal(`The database in ${dataDir} did not start: ${complaint}`)
    }
    const isOnItsWay = code === '57P03'
    if (performance.now() - from > (isOnItsWay ? RECOVERY_PATIENCE_MS : START_PATIENCE_MS)) {
      throw new StartRefusal(`The database in ${dataDir} does not answer: ${complaint}`)
    }
    await sleep(POLL_MS)
  }
}

async function hold(client: pg.Client, dataDir: string) {
  const from = performance.now()
  for (;;) {
    const {
      rows: [row],
    } = await client.query<{ held: boolean }>(`select pg_try_advisory_lock(${ADVISORY_LOCK}) as held`)
    if (row?.held) return
    if (performance.now() - from > LOCK_PATIENCE_MS) throw new AlreadyRunning(`Another Tatami is already running on ${dataDir}.`)
    await sleep(POLL_MS)
  }
}

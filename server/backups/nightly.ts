import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { listSuperAdminEmails } from '../accounts/accounts.ts'
import type { Database, Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import type { Email, Mailer } from '../lib/mail.ts'
import { notifySuperAdmins } from '../notifications/notify.ts'
import {
  claimBackup,
  NO_RECENT_BACKUP,
  recordBackup,
  recordFailure,
  recordMissing,
  withdrawBackup,
} from './attempts.ts'
import { toBackupError, BackupError } from './backup-error.ts'
import type { BackupOutcome, BackupTask } from './backup-worker.ts'
import { nightlyFileName, findOutdatedBackups } from './rotation.ts'

const THREAD_PRIORITY = 10
const UNFINISHED_FILE = /^tatami-nightly-.*\.zip\.part$/

type NightlyOptions = {
  db: Database
  databaseUrl: string
  folder: string | null
  mail: Mailer
  onFailure: (failure: string) => void
}
type NightlyBackups = {
  /** Is called every minute. */
  runIfDue: () => Promise<void>
  stop: () => Promise<void>
}

export function createNightlyBackups({
  db,
  databaseUrl,
  folder,
  mail,
  onFailure,
}: NightlyOptions): NightlyBackups {
  const stopSignal = new AbortController()
  let runningBackup: Promise<void> | undefined

  async function run(targetFolder: string) {
    const id = await db.withoutDojo(claimBackup)
    if (!id) return
    try {
      const backup = await makeBackup(targetFolder, databaseUrl, stopSignal.signal)
      await db.withoutDojo((tx) => recordBackup(tx, id, backup))
    } catch (error) {
      if (!(error instanceof BackupError)) throw error
      await handleFailure(id, error.message)
    }
  }

  async function handleFailure(id: string, failure: string) {
    if (stopSignal.signal.aborted) return db.withoutDojo((tx) => withdrawBackup(tx, id))
    onFailure(failure)
    const message = `No backup was made last night. ${failure}`
    await report(message, (tx) => recordFailure(tx, id, failure))
  }

  /** Notifies the super admins if `record` returns true. */
  async function report(message: string, record: (tx: Tx) => Promise<boolean>) {
    const mails = await db.withoutDojo(async (tx): Promise<Email[]> => {
      if (!(await record(tx))) return []
      await notifySuperAdmins(tx, { title: 'Backup missing', message })
      return (await listSuperAdminEmails(tx)).map((recipient) => ({
        to: recipient,
        subject: 'Tatami: backup missing',
        text: `${message}\n`,
      }))
    })
    for (const email of mails) mail.send(email)
    if (mails.length > 0 && folder === null) onFailure(message)
  }

  return {
    runIfDue: async () => {
      if (folder === null) return report(NO_RECENT_BACKUP, recordMissing)
      runningBackup ??= run(folder).finally(() => {
        runningBackup = undefined
      })
      return runningBackup
    },
    stop: async () => {
      stopSignal.abort()
      await runningBackup?.catch(() => {})
    },
  }
}

async function makeBackup(folder: string, databaseUrl: string, signal: AbortSignal) {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await removeFiles(folder, (names) => names.filter((name) => UNFINISHED_FILE.test(name)))
    const file = join(folder, nightlyFileName(nowIso()))
    await runInThread({ databaseUrl, path: file, priority: THREAD_PRIORITY }, signal)
    await removeFiles(folder, findOutdatedBackups)
    const { size: bytes } = await stat(file)
    return { file, bytes }
  } catch (error) {
    throw toBackupError(error, `${folder} cannot be used`)
  }
}

async function removeFiles(folder: string, selectNames: (names: string[]) => string[]) {
  for (const name of selectNames(await readdir(folder)))
    await rm(join(folder, name), { force: true })
}

async function runInThread(task: BackupTask, signal: AbortSignal): Promise<void> {
  const worker = new Worker(new URL('backup-worker.ts', import.meta.url), {
    execArgv: [],
    workerData: task,
  })
  const stopWorker = () => void worker.terminate()
  signal.addEventListener('abort', stopWorker, { once: true })
  try {
    const { failure } = await new Promise<BackupOutcome>((resolve, reject) => {
      worker
        .once('message', resolve)
        .once('error', reject)
        .once('exit', () => reject(new BackupError('The backup was interrupted.')))
    })
    if (failure !== null) throw new BackupError(failure)
  } finally {
    signal.removeEventListener('abort', stopWorker)
    if (signal.aborted) await rm(`${task.path}.part`, { force: true })
  }
}

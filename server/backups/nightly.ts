import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { superAdminEmails } from '../accounts/accounts.ts'
import type { Database, Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import type { Email, Mailer } from '../lib/mail.ts'
import { notifySuperAdmins } from '../notifications/notify.ts'
import {
  claimBackup,
  recordBackup,
  recordFailure,
  recordMissing,
  withdrawBackup,
} from './attempts.ts'
import { asBackupError, BackupError } from './backup-error.ts'
import type { BackupOutcome, BackupTask } from './backup-worker.ts'
import { nightlyName, outdatedBackups } from './rotation.ts'

const PRIORITY = 10
const UNFINISHED_FILE = /^tatami-nightly-.*\.zip\.part$/

type Options = {
  db: Database
  databaseUrl: string
  folder: string | null
  mail: Mailer
  onFailure: (failure: string) => void
}
type NightlyBackups = {
  /** Called every minute. */
  runIfDue: () => Promise<void>
  stop: () => Promise<void>
}

/** Makes one backup each night over all servers, in a thread, and reports missing ones. */
export function createNightlyBackups({
  db,
  databaseUrl,
  folder,
  mail,
  onFailure,
}: Options): NightlyBackups {
  const stopSignal = new AbortController()
  let running: Promise<void> | undefined

  async function run(targetFolder: string) {
    const id = await db.withoutDojo(claimBackup)
    if (!id) return
    const result = await make(targetFolder, databaseUrl, stopSignal.signal).catch(
      (error: unknown) => {
        if (error instanceof BackupError) return error.message
        throw error
      },
    )
    if (typeof result === 'object') return db.withoutDojo((tx) => recordBackup(tx, id, result))
    if (stopSignal.signal.aborted) return db.withoutDojo((tx) => withdrawBackup(tx, id))
    onFailure(result)
    await report(`No backup was made last night. ${result}`, (tx) => recordFailure(tx, id, result))
  }

  async function report(message: string, isDue: (tx: Tx) => Promise<boolean>) {
    const mails = await db.withoutDojo(async (tx): Promise<Email[]> => {
      if (!(await isDue(tx))) return []
      await notifySuperAdmins(tx, { title: 'Backup missing', message })
      return (await superAdminEmails(tx)).map((recipient) => ({
        to: recipient,
        subject: 'Tatami: backup missing',
        text: `${message}\n`,
      }))
    })
    for (const letter of mails) mail.send(letter)
    if (mails.length > 0 && folder === null) onFailure(message)
  }

  return {
    runIfDue: async () => {
      if (folder === null) return report('No backup has been made for 36 hours.', recordMissing)
      running ??= run(folder).finally(() => {
        running = undefined
      })
      return running
    },
    stop: async () => {
      stopSignal.abort()
      await running?.catch(() => {})
    },
  }
}

async function make(folder: string, databaseUrl: string, signal: AbortSignal) {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await removeFrom(folder, (names) => names.filter((name) => UNFINISHED_FILE.test(name)))
    const file = join(folder, nightlyName(nowIso()))
    await inThread({ databaseUrl, path: file, priority: PRIORITY }, signal)
    await removeFrom(folder, outdatedBackups)
    const { size: bytes } = await stat(file)
    return { file, bytes }
  } catch (error) {
    throw asBackupError(error, `${folder} cannot be used`)
  }
}

async function removeFrom(folder: string, choose: (names: string[]) => string[]) {
  for (const name of choose(await readdir(folder))) await rm(join(folder, name), { force: true })
}

async function inThread(task: BackupTask, signal: AbortSignal): Promise<void> {
  const worker = new Worker(new URL('backup-worker.ts', import.meta.url), {
    execArgv: [],
    workerData: task,
  })
  const end = () => void worker.terminate()
  signal.addEventListener('abort', end, { once: true })
  try {
    const { failure } = await new Promise<BackupOutcome>((resolve, reject) => {
      worker
        .once('message', resolve)
        .once('error', reject)
        .once('exit', () => reject(new BackupError('It was cut short.')))
    })
    if (failure !== null) throw new BackupError(failure)
  } finally {
    signal.removeEventListener('abort', end)
    if (signal.aborted) await rm(`${task.path}.part`, { force: true })
  }
}

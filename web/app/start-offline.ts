import { tapStore } from '../lib/device-database.ts'
import { readWithCopies } from '../lib/query.ts'
import { storeApp } from '../lib/shell.ts'
import { readAhead, startStoredReads } from './stored-reads.ts'

const LOADED_MS = 3000

/** Attendance marks and belt test results that an earlier page could not send. */
async function sendStored() {
  if ((await tapStore.all('')).length === 0) return
  await Promise.all([
    import('../attendance/marks.ts').then(({ marks }) => marks.start()),
    import('../gradings/results.ts').then(({ results }) => results.start()),
  ])
}

let isReading = false
/** Answers failed reads from copies on this device. */
export async function startReading(): Promise<void> {
  if (isReading) return
  isReading = true
  readWithCopies(await startStoredReads())
}

async function store() {
  if (!(await storeApp())) return
  await startReading()
  await readAhead()
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void readAhead()
  })
}

/** Sends what waits on this device, and prepares an instructor's device for working offline. */
export async function startOffline(isInstructor: boolean): Promise<void> {
  await sendStored().catch(() => {})
  if (isInstructor)
    setTimeout(
      () =>
        void store().catch((error: unknown) =>
          console.warn('This device could not be prepared for a time without a network', error),
        ),
      LOADED_MS,
    )
}

import { tapStore } from '../lib/device-database.ts'
import { readWithCopies } from '../lib/query.ts'
import { storeApp } from '../lib/shell.ts'
import { readAhead, startStoredReads } from './stored-reads.ts'

/** Long enough for a screen to load what it shows. */
const LOADED_MS = 3000

/** Marks of a roll and results of a grading that a page before this one could not send. */
async function sendStored() {
  if ((await tapStore.all('')).length === 0) return
  await Promise.all([
    import('../attendance/marks.ts').then(({ marks }) => marks.start()),
    import('../gradings/results.ts').then(({ results }) => results.start()),
  ])
}

let isReading = false
/** Has reads that get no answer answered by what this device has stored. Before the first one, where the device has stored the app. */
export async function startReading(): Promise<void> {
  if (isReading) return
  isReading = true
  readWithCopies(await startStoredReads())
}

/** Has the app and what a roll needs stored on this device, where the browser can. */
async function store() {
  if (!(await storeApp())) return
  await startReading()
  await readAhead()
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void readAhead()
  })
}

/** What is done once somebody is signed in: sends what waits on this device, and prepares an instructor's for a time without a network. */
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

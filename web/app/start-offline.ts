import { clearCopies, FAIR_LEADS_PREFIX, tapStore } from '../lib/device-database.ts'
import { setCopyReader } from '../lib/query.ts'
import { storeApp } from '../lib/shell.ts'
import { readAhead, startStoredReads } from './stored-reads.ts'

/** During this time, the first screen has the network and the processor to itself. */
const PREPARE_AFTER_MS = 3000

async function sendFairLeads() {
  if ((await tapStore.getAll(FAIR_LEADS_PREFIX)).length === 0) return
  const { fairLeads } = await import('../leads/dialogs.ts')
  await fairLeads.start()
}

async function sendStoredTaps() {
  if ((await tapStore.getAll('')).length === 0) return
  await Promise.all([
    import('../attendance/marks.ts').then(({ marks }) => marks.start()),
    import('../gradings/result-outbox.ts').then(({ resultOutbox }) => resultOutbox.start()),
    sendFairLeads(),
  ])
}

let isReadingCopies = false
export async function startReadingCopies(): Promise<void> {
  if (isReadingCopies) return
  isReadingCopies = true
  setCopyReader(await startStoredReads())
}

async function prepareDevice() {
  if (!(await storeApp())) return
  await startReadingCopies()
  await readAhead()
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void readAhead()
  })
}

export async function startOffline(storesRolls: boolean): Promise<void> {
  await sendStoredTaps().catch(() => {})
  if (!storesRolls) return clearCopies()
  const prepare = () =>
    prepareDevice().catch((error: unknown) =>
      console.warn('This device could not be prepared for working offline', error),
    )
  setTimeout(() => void prepare(), PREPARE_AFTER_MS)
}

import { readdirSync, readFileSync } from 'node:fs'
import { chromium, expect, type BrowserContext, type Page } from '@playwright/test'

/** Finds the main process of the browser whose profile is in this folder. The browser's other
 *  processes end with it. */
const findMainProcessIds = (folder: string) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        return command.includes(`--user-data-dir=${folder}`) && !command.includes('--type=')
      } catch {
        // The process has ended in the meantime.
        return false
      }
    })
    .map(Number)

type Options = Parameters<typeof chromium.launchPersistentContext>[1]
export type Phone = { context: BrowserContext; page: Page; kill: () => Promise<void> }

/** Starts a browser that keeps its data in `folder`. `kill` ends it suddenly, like an empty
 *  battery. */
export async function startPhone(folder: string, options: Options): Promise<Phone> {
  const context = await chromium.launchPersistentContext(folder, {
    serviceWorkers: 'allow',
    reducedMotion: 'reduce',
    ...options,
  })
  const kill = async () => {
    const closeEvent = context.waitForEvent('close')
    for (const pid of findMainProcessIds(folder)) process.kill(pid, 'SIGKILL')
    await closeEvent
  }
  return { context, page: context.pages()[0] ?? (await context.newPage()), kill }
}

const NEEDED_CALLS = ['/profile', '/classes', '/students', '/attendance', '/excuses']

/** Waits until the page has stored the app and the data for marking attendance offline. */
export async function waitUntilStored(page: Page) {
  await expect
    .poll(() => page.evaluate(async () => Boolean(await caches.match('/dashboard'))))
    .toBe(true)
  const findMissingCalls = async () => {
    const storedText = await readAllStorage(page)
    return NEEDED_CALLS.filter((path) => !storedText.includes(`"call":"GET ${path}"`))
  }
  await expect.poll(findMissingCalls).toEqual([])
}

/** Returns everything that the page has stored in the browser, as one text. */
export const readAllStorage = (page: Page) =>
  page.evaluate(async () => {
    const databases = (await indexedDB.databases()).map(({ name }) => name!)
    const rows = databases.map(async (name) => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const openRequest = indexedDB.open(name)
        openRequest.addEventListener('success', () => resolve(openRequest.result))
      })
      const storeReads = [...database.objectStoreNames].map(
        (store) =>
          new Promise((resolve) => {
            const readRequest = database.transaction(store).objectStore(store).getAll()
            readRequest.addEventListener('success', () => resolve(readRequest.result))
          }),
      )
      const rowsByStore = await Promise.all(storeReads)
      database.close()
      return rowsByStore
    })
    const files = (await caches.keys()).map(async (name) =>
      (await (await caches.open(name)).keys()).map(({ url }) => url),
    )
    return JSON.stringify([
      await Promise.all(rows),
      await Promise.all(files),
      { ...localStorage },
      { ...sessionStorage },
    ])
  })

/** Counts the values that the app has stored on this device. */
export const countStored = (page: Page, kind: 'marks' | 'copies') =>
  page.evaluate(async (name) => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const openRequest = indexedDB.open('tatami')
      openRequest.addEventListener('success', () => resolve(openRequest.result))
    })
    const count = await new Promise<number>((resolve) => {
      const countRequest = database.transaction(name).objectStore(name).count()
      countRequest.addEventListener('success', () => resolve(countRequest.result))
    })
    database.close()
    return count
  }, kind)

/** How soon a phone without a network shows what it has stored: node bench/offline.ts, after a build. Prints a Markdown table. */
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { chromiumPath } from '../scripts/chromium.mjs'
import { createDojo } from './dojo.ts'
import { middle, type Paints, PHONE, seconds, watchPaints } from './paint.ts'
import { PORT, startTatami } from './servers.ts'

const RUNS = Number(process.env.BENCH_RUNS ?? 5)
const STUDENTS = 300
/** Processors of a quarter and a sixth of this one. */
const SLOWER = [4, 6]
const SETTLED_MS = 1000
const STORE_TRIES = 120,
  STORE_MS = 500

/** Asked again and again in the page: the worker stores the document last, and the page the students. */
const isStored = async () => {
  if (!(await caches.match('/dashboard'))) return false
  const database = await new Promise<IDBDatabase>((resolve) => {
    const opening = indexedDB.open('tatami')
    opening.addEventListener('success', () => resolve(opening.result))
  })
  const keys = await new Promise<IDBValidKey[]>((resolve) => {
    const reading = database.transaction('copies').objectStore('copies').getAllKeys()
    reading.addEventListener('success', () => resolve(reading.result))
  })
  database.close()
  return ['/students', '/attendance', '/excuses', '/class-dates'].every((path) =>
    keys.some((key) => JSON.stringify(key).includes(`GET ${path}`)),
  )
}

async function store(page: Page) {
  for (let turn = 0; turn < STORE_TRIES; turn += 1) {
    if (await page.evaluate(isStored)) return
    await page.waitForTimeout(STORE_MS)
  }
  throw new Error('The app was not stored')
}

type Seen = Paints & { shown: number }

async function look(
  context: BrowserContext,
  url: string,
  words: string,
  rate: number,
): Promise<Seen> {
  const page = await context.newPage()
  const wire = await context.newCDPSession(page)
  await wire.send('Emulation.setCPUThrottlingRate', { rate })
  await page.goto(url, { waitUntil: 'commit' })
  await page.getByText(words).filter({ visible: true }).first().waitFor()
  const shown = await page.evaluate(() => performance.now())
  await page.waitForTimeout(SETTLED_MS)
  const seen = await page.evaluate(() => (window as unknown as { seen: Paints }).seen)
  await page.close()
  return { ...seen, shown }
}

const server = await startTatami(PORT)
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  const { token, class_id, students } = await createDojo(server.databaseUrl, STUDENTS)
  const { name } = students[0]!
  const context = await browser.newContext({
    ...PHONE,
    reducedMotion: 'reduce',
    serviceWorkers: 'allow',
  })
  await context.addInitScript(watchPaints)
  const page = await context.newPage()
  await page.goto(`${server.url}/login`)
  await page.evaluate((kept) => localStorage.setItem('token', kept), token)
  await page.goto(`${server.url}/dashboard`)
  await store(page)
  await page.close()
  await context.setOffline(true)
  console.log(
    `| page without a network, median of ${RUNS} | processor | first paint | slowest | largest paint | what is stored is there |`,
  )
  console.log('|---|---|---|---|---|---|')
  for (const [path, words] of [
    ['/dashboard', 'Offline · as of'],
    ['/students', name],
    [`/attendance?class=${class_id}`, name],
  ] as const)
    for (const rate of SLOWER) {
      const runs: Seen[] = []
      for (let run = 0; run < RUNS; run += 1)
        runs.push(await look(context, server.url + path, words, rate))
      const of = (what: keyof Seen) => seconds(middle(runs.map((run) => run[what])))
      const cells = [
        path.split('?', 1)[0],
        `1/${rate}`,
        of('paint'),
        seconds(Math.max(...runs.map(({ paint }) => paint))),
        of('largest'),
        of('shown'),
      ]
      console.log(`| ${cells.join(' | ')} |`)
    }
} finally {
  await browser.close()
  await server.stop()
}

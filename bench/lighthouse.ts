/** Lighthouse's four scores of each page, as it measures a phone with an empty cache: node bench/lighthouse.ts [path …], after a build. It fetches Lighthouse from
 *  npm, which the project does not depend on. Prints a Markdown table, and below it what costs points. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { chromiumPath } from '../scripts/chromium.mjs'
import { createDojo } from './dojo.ts'
import { PORT, startTatami } from './servers.ts'

const LIGHTHOUSE = 'lighthouse@13.5.0'
const DEBUGGING_PORT = PORT + 1,
  RUNS = Number(process.env.BENCH_RUNS ?? 3)
const STUDENTS = 60
const PUBLIC = ['/', '/login', '/consent-form']
const SIGNED_IN = [
  '/dashboard',
  '/students',
  '/attendance',
  '/class-center',
  '/payment-center',
  '/message-center',
]
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const

type Audit = { title: string; score: number | null; numericValue?: number }
type Report = {
  categories: Record<
    (typeof CATEGORIES)[number],
    { score: number; auditRefs: { id: string; weight: number }[] }
  >
  audits: Record<string, Audit>
}

/** Lighthouse sometimes misses the beginning of a trace (NO_NAVSTART) and asks to be run again. */
async function reportOf(url: string, file: string, attempts = 3): Promise<Report> {
  const options = [
    `--port=${DEBUGGING_PORT}`,
    '--disable-storage-reset',
    '--quiet',
    '--output=json',
    `--output-path=${file}`,
  ]
  try {
    await promisify(execFile)('npx', ['--yes', LIGHTHOUSE, url, ...options])
  } catch (error) {
    if (attempts > 1) return reportOf(url, file, attempts - 1)
    throw error
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Report
}

const middle = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

const folder = mkdtempSync(join(tmpdir(), 'tatami-lighthouse-'))
const server = await startTatami(PORT)
const args = [
  `--remote-debugging-port=${DEBUGGING_PORT}`,
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]
const browser = await chromium.launchPersistentContext(join(folder, 'profile'), {
  executablePath: chromiumPath(),
  args,
})
const losses: string[] = []
try {
  const { token } = await createDojo(server.databaseUrl, STUDENTS)
  const page = await browser.newPage()
  await page.goto(server.url)
  const wire = await page.context().newCDPSession(page)
  // Lighthouse's own reset would take the session along.
  const forgetPages = async () => {
    await wire.send('Network.clearBrowserCache')
    await wire.send('Storage.clearDataForOrigin', {
      origin: server.url,
      storageTypes: 'service_workers,cache_storage,indexeddb',
    })
  }
  const wanted = process.argv.slice(2)
  console.log(
    `| page, empty cache, median of ${RUNS} | ${CATEGORIES.join(' | ')} |\n|---|${'---|'.repeat(CATEGORIES.length)}`,
  )
  for (const path of [...PUBLIC, ...SIGNED_IN].filter(
    (each) => wanted.length === 0 || wanted.includes(each),
  )) {
    const kept = SIGNED_IN.includes(path) ? token : null
    await page.evaluate(
      (value) => (value ? localStorage.setItem('token', value) : localStorage.removeItem('token')),
      kept,
    )
    const reports: Report[] = []
    for (let run = 0; run < RUNS; run += 1) {
      await forgetPages()
      reports.push(await reportOf(server.url + path, join(folder, 'report.json')))
    }
    console.log(
      `| ${path} | ${CATEGORIES.map((each) => middle(reports.map(({ categories }) => Math.round(categories[each].score * 100)))).join(' | ')} |`,
    )
    const { categories, audits } = reports.at(-1)!
    for (const category of CATEGORIES)
      for (const { id, weight } of categories[category].auditRefs) {
        const { title, score } = audits[id]!
        if (weight > 0 && score !== null && score < 0.9)
          losses.push(`${path}, ${category}: ${title} (${Math.round(score * 100)})`)
      }
  }
  console.log(`\n${losses.join('\n')}`)
} finally {
  await browser.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

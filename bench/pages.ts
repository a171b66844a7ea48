/** How soon a cold phone shows each page, and how much of it jumps: node bench/pages.ts, after a build. Prints a Markdown table. */
import { type Browser, chromium } from '@playwright/test'
import { chromiumPath } from '../scripts/chromium.mjs'
import { createDojo } from './dojo.ts'
import { middle, type Paints, PHONE, seconds, watchPaints } from './paint.ts'
import { PORT, startTatami } from './servers.ts'

const RUNS = Number(process.env.BENCH_RUNS ?? 5)
const STUDENTS = 300
const SETTLED_MS = 2500
/** What Lighthouse calls slow 4G, and a processor of a quarter of this one. */
const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const SLOWER = 4
const PUBLIC = ['/', '/login', '/consent-form']
const SIGNED_IN = ['/dashboard', '/students', '/attendance', '/class-center', '/payment-center', '/message-center']

type Seen = Paints & { kilobytes: number; requests: number }

async function look(browser: Browser, url: string, token?: string): Promise<Seen> {
  const context = await browser.newContext({ ...PHONE, reducedMotion: 'reduce' })
  await context.addInitScript(watchPaints)
  if (token) await context.addInitScript((kept) => localStorage.setItem('token', kept), token)
  const page = await context.newPage()
  const wire = await context.newCDPSession(page)
  let bytes = 0
  let requests = 0
  wire.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
    requests += 1
  })
  await wire.send('Network.enable')
  await wire.send('Network.emulateNetworkConditions', SLOW_LINE)
  await wire.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(SETTLED_MS)
  const seen = await page.evaluate(() => (window as unknown as { seen: Paints }).seen)
  await context.close()
  return { ...seen, kilobytes: bytes / 1000, requests }
}

const server = await startTatami(PORT)
const browser = await chromium.launch({ executablePath: chromiumPath(), args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
try {
  const { token } = await createDojo(server.databaseUrl, STUDENTS)
  console.log(`| page, median of ${RUNS} | first paint | largest paint | best | layout shift | received | requests |`)
  console.log('|---|---|---|---|---|---|---|')
  for (const [path, person] of [...PUBLIC.map((page) => [page]), ...SIGNED_IN.map((screen) => [screen, token])] as [string, string?][]) {
    const runs: Seen[] = []
    for (let run = 0; run < RUNS; run += 1) runs.push(await look(browser, server.url + path, person))
    const of = (what: keyof Seen) => middle(runs.map((run) => run[what]))
    const cells = [
      path,
      seconds(of('paint')),
      seconds(of('largest')),
      seconds(Math.min(...runs.map(({ largest }) => largest))),
      of('shift').toFixed(3),
      `${of('kilobytes').toFixed(0)} kB`,
      of('requests'),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
} finally {
  await browser.close()
  await server.stop()
}

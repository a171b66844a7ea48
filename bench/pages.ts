/** How soon a cold phone shows each page, and how much of it jumps: node bench/pages.ts, after a build. Prints a Markdown table.
 *  BENCH_BEFORE=<folder of another checkout, installed and built> looks at that version, too, in turns. */
import { type Browser, chromium } from '@playwright/test'
import { chromiumPath } from '../scripts/chromium.mjs'
import { createDojoOf } from './dojo.ts'
import { middle, type Paints, PHONE, seconds, watchPaints } from './paint.ts'
import { PORT, ROOT, startTatami } from './servers.ts'

const RUNS = Number(process.env.BENCH_RUNS ?? 5),
  BEFORE = process.env.BENCH_BEFORE
const STUDENTS = 300
const SETTLED_MS = 2500
/** What Lighthouse calls slow 4G, and a processor of a quarter of this one. */
const SLOW_LINE = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}
const SLOWER = 4
const PUBLIC = ['/', '/login', '/consent-form']
const SIGNED_IN = [
  '/dashboard',
  '/students',
  '/attendance',
  '/class-center',
  '/payment-center',
  '/message-center',
]

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

type Version = { name: string; url: string; token: string; stop: () => Promise<void> }
async function startVersion(name: string, port: number, checkout: string): Promise<Version> {
  const { url, databaseUrl, stop } = await startTatami(port, {}, checkout)
  const { token } = await (await createDojoOf(checkout))(databaseUrl, STUDENTS)
  return { name, url, token, stop }
}

const versions: Version[] = []
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  if (BEFORE) versions.push(await startVersion('before', PORT + 1, BEFORE))
  versions.push(await startVersion('now', PORT, ROOT))
  console.log(
    `| page, median of ${RUNS} | | first paint | largest paint | best | layout shift | received | requests |`,
  )
  console.log('|---|---|---|---|---|---|---|---|')
  for (const path of [...PUBLIC, ...SIGNED_IN]) {
    const runs = versions.map((): Seen[] => [])
    for (let run = 0; run < RUNS; run += 1)
      for (const [at, { url, token }] of versions.entries())
        runs[at]!.push(
          await look(browser, url + path, SIGNED_IN.includes(path) ? token : undefined),
        )
    for (const [at, { name }] of versions.entries()) {
      const of = (what: keyof Seen) => middle(runs[at]!.map((run) => run[what]))
      const cells = [
        path,
        name,
        seconds(of('paint')),
        seconds(of('largest')),
        seconds(Math.min(...runs[at]!.map(({ largest }) => largest))),
        of('shift').toFixed(3),
        `${of('kilobytes').toFixed(0)} kB`,
        of('requests'),
      ]
      console.log(`| ${cells.join(' | ')} |`)
    }
  }
} finally {
  await browser.close()
  for (const { stop } of versions) await stop()
}

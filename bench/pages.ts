/** Measures how soon a phone with an empty cache shows each page, and how much the layout shifts:
 *  node bench/pages.ts, after a build. With BENCH_BEFORE=<another built checkout>, also measures
 *  that version. */
import { type Browser, chromium } from '@playwright/test'
import { chromiumPath } from '../scripts/chromium.mjs'
import { loadCreateDojo } from './dojo.ts'
import { median, type Paints, PHONE, formatSeconds, watchPaints } from './paint.ts'
import { PORT, ROOT, startTatami } from './servers.ts'

const RUNS = Number(process.env.BENCH_RUNS ?? 5)
const EARLIER_CHECKOUT = process.env.BENCH_BEFORE
const STUDENTS = 300
const SETTLE_MS = 2500
/** The network that Lighthouse calls slow 4G. The latency is in milliseconds, and the throughputs
 *  are in bytes per second. */
const SLOW_NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}
const CPU_SLOWDOWN = 4
const PUBLIC_PATHS = ['/', '/login', '/consent-form']
const INSTRUCTOR_PATHS = [
  '/dashboard',
  '/students',
  '/attendance',
  '/class-center',
  '/payment-center',
  '/message-center',
]

type PageMetrics = Paints & { kilobytes: number; requests: number }

async function measurePage(browser: Browser, url: string, token?: string): Promise<PageMetrics> {
  const context = await browser.newContext({ ...PHONE, reducedMotion: 'reduce' })
  await context.addInitScript(watchPaints)
  if (token)
    await context.addInitScript((storedToken) => localStorage.setItem('token', storedToken), token)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  let bytes = 0
  let requests = 0
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
    requests += 1
  })
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', SLOW_NETWORK)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(SETTLE_MS)
  const paints = await page.evaluate(() => (window as unknown as { paints: Paints }).paints)
  await context.close()
  return { ...paints, kilobytes: bytes / 1000, requests }
}

type Version = { name: string; url: string; token: string; stop: () => Promise<void> }
async function startVersion(name: string, port: number, checkout: string): Promise<Version> {
  const { url, databaseUrl, stop } = await startTatami(port, {}, checkout)
  const createDojo = await loadCreateDojo(checkout)
  const { token } = await createDojo(databaseUrl, STUDENTS)
  return { name, url, token, stop }
}

const versions: Version[] = []
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  if (EARLIER_CHECKOUT) versions.push(await startVersion('before', PORT + 1, EARLIER_CHECKOUT))
  versions.push(await startVersion('now', PORT, ROOT))
  console.log(
    `| page, median of ${RUNS} | | first paint | largest paint | best | layout shift | ` +
      'received | requests |',
  )
  console.log('|---|---|---|---|---|---|---|---|')
  for (const path of [...PUBLIC_PATHS, ...INSTRUCTOR_PATHS]) {
    const runs = versions.map((): PageMetrics[] => [])
    for (let run = 0; run < RUNS; run += 1)
      for (const [index, { url, token }] of versions.entries())
        runs[index]?.push(
          await measurePage(
            browser,
            url + path,
            INSTRUCTOR_PATHS.includes(path) ? token : undefined,
          ),
        )
    for (const [index, { name }] of versions.entries()) {
      const medianOf = (measure: keyof PageMetrics) =>
        median((runs[index] ?? []).map((run) => run[measure]))
      const cells = [
        path,
        name,
        formatSeconds(medianOf('firstPaint')),
        formatSeconds(medianOf('largestPaint')),
        formatSeconds(Math.min(...(runs[index] ?? []).map(({ largestPaint }) => largestPaint))),
        medianOf('layoutShift').toFixed(3),
        `${medianOf('kilobytes').toFixed(0)} kB`,
        medianOf('requests'),
      ]
      console.log(`| ${cells.join(' | ')} |`)
    }
  }
} finally {
  await browser.close()
  for (const { stop } of versions) await stop()
}

/** Photographs the demo dojo for the README: node scripts/take-pictures.ts, after a build. The pictures go to docs/pictures. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from '@playwright/test'
import { chromiumPath } from './chromium.mjs'

const PORT = '3999', BASE = `http://127.0.0.1:${PORT}`
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
const DESKTOP = { viewport: { width: 1440, height: 900 } }

type Picture = { file: string; path: string; on: typeof PHONE | typeof DESKTOP; dark?: boolean; before?: string }
const PICTURES: Picture[] = [
  { file: 'dashboard', path: '/desktop', on: DESKTOP },
  { file: 'payments', path: '/desktop/payment-center', on: DESKTOP, dark: true },
  { file: 'students-phone', path: '/students', on: PHONE },
  { file: 'attendance-phone', path: '/attendance', on: PHONE, before: 'Kids Beginners' },
  { file: 'payments-phone', path: '/payment-center', on: PHONE, dark: true },
]

async function signIn(): Promise<string> {
  const answer = await fetch(`${BASE}/api/login`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ email: 'sensei@cedarpark.com', password: 'Tatami2026' }),
  })
  return (await answer.json() as { token: string }).token
}

async function take(browser: Browser, token: string, { file, path, on, dark, before }: Picture) {
  const context = await browser.newContext({ ...on, colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce', locale: 'en-US', timezoneId: 'America/Chicago' })
  await context.addInitScript((kept) => localStorage.setItem('token', kept), token)
  const page = await context.newPage()
  await page.goto(BASE + path)
  await page.waitForLoadState('networkidle')
  if (before) await page.getByRole('button', { name: before }).first().click()
  await page.waitForTimeout(500)
  await page.screenshot({ path: `docs/pictures/${file}.png` })
  await context.close()
}

const dataDir = mkdtempSync(join(tmpdir(), 'tatami-pictures-'))
const server = spawn(process.execPath, ['server/main.ts'], {
  env: { PATH: process.env.PATH, HOME: process.env.HOME, ENV_FILE: devNull, DEMO: '1', DATA_DIR: dataDir, PORT, LOG_LEVEL: 'warn' }, stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  for await (const words of server.stdout) if (String(words).includes('ready')) break
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
  const token = await signIn()
  for (const picture of PICTURES) await take(browser, token, picture)
  await browser.close()
} finally {
  server.kill('SIGTERM')
  await once(server, 'exit')
  rmSync(dataDir, { recursive: true, force: true })
}

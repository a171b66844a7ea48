/** Photographs the demo dojo: node scripts/take-pictures.ts [part of a file name], after a build;
 *  then build again. The README's pictures go to docs/pictures, the landing page's to
 *  web/landing/pictures. FONTCONFIG_FILE may name a better font. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from '@playwright/test'
import { beltsApi } from '@tatami/contract/belts/belts'
import { gradingsApi } from '@tatami/contract/gradings/gradings'
import { kiosksApi } from '@tatami/contract/kiosk/kiosks'
import { profileApi } from '@tatami/contract/profile/profile'
import { readinessApi } from '@tatami/contract/belts/readiness'
import { studentsApi } from '@tatami/contract/students/students'
import { callerOf } from '../bench/dojo.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { firstRow } from '../server/lib/rows.ts'
import { chromiumPath } from './chromium.mjs'

const PORT = process.env.PICTURES_PORT ?? '3999',
  BASE = `http://127.0.0.1:${PORT}`
const README = 'docs/pictures',
  LANDING = 'web/landing/pictures'
const WEBP_QUALITY = 80
const GRADED_STUDENTS = 12
const PHONE = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
}
const DESKTOP = { viewport: { width: 1440, height: 900 } }
const SMALL_PHONE = { ...PHONE, deviceScaleFactor: 4 / 3 }
const TABLET = { viewport: { width: 1180, height: 820 } }
const SMALL_DESKTOP = { viewport: { width: 1280, height: 800 } }

const NIGHT = '/gradings/today'

const KIOSK = '/kiosk'
const PIN = '4711'

type Picture = {
  file: string
  path: string
  on: typeof PHONE | typeof DESKTOP
  dark?: boolean
  before?: (page: Page) => Promise<void>
}
const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click()
async function markSome(page: Page) {
  await press('Kids Beginners')(page)
  const roll = page.getByRole('dialog')
  for (const row of [0, 1, 2, 4])
    await roll.getByRole('button', { name: 'Present', exact: true }).nth(row).click()
  await roll.getByRole('button', { name: 'Absent', exact: true }).nth(3).click()
}

const noteSome = (losesNetwork: boolean) => async (page: Page) => {
  const note = async (place: number, result: string) =>
    page.getByRole('tabpanel').getByRole('button', { name: result, exact: true }).nth(place).click()
  for (const [place, result] of ['Pass', 'Pass', 'Partial', 'Pass'].entries())
    await note(place, result)
  await page.waitForLoadState('networkidle')
  if (losesNetwork) {
    await page.context().setOffline(true)
    for (const [place, result] of ['Pass', 'Absent'].entries()) await note(place + 4, result)
    await page.waitForTimeout(1000)
  }
}

async function comeIn(page: Page) {
  for (const digit of PIN) await press(digit)(page)
  await press('OK')(page)
  await page.getByText('Welcome').waitFor()
}

const PICTURES: Picture[] = [
  { file: `${README}/kiosk-tablet.png`, path: KIOSK, on: TABLET, before: comeIn },
  { file: `${README}/grading-night-phone.png`, path: NIGHT, on: PHONE, before: noteSome(false) },
  {
    file: `${README}/grading-night-offline-phone.png`,
    path: NIGHT,
    on: PHONE,
    dark: true,
    before: noteSome(true),
  },
  { file: `${README}/dashboard.png`, path: '/desktop', on: DESKTOP },
  { file: `${README}/students-phone.png`, path: '/students', on: PHONE },
  { file: `${README}/payments-phone.png`, path: '/payment-center', on: PHONE, dark: true },
  ...[false, true].flatMap((dark): Picture[] => {
    const landingFile = (subject: string) => `${LANDING}/${subject}-${dark ? 'dark' : 'light'}.webp`
    return [
      { file: landingFile('dashboard'), path: '/desktop', on: SMALL_DESKTOP, dark },
      {
        file: landingFile('payments'),
        path: '/payment-center?filter=yet_to_pay',
        on: SMALL_PHONE,
        dark,
      },
      {
        file: landingFile('attendance'),
        path: '/attendance',
        on: SMALL_PHONE,
        dark,
        before: markSome,
      },
    ]
  }),
  {
    file: `${README}/attendance-phone.png`,
    path: '/attendance',
    on: PHONE,
    before: press('Kids Beginners'),
  },
]

const call = callerOf(BASE)

async function switchKioskOn(token: string): Promise<string> {
  const students = await call(studentsApi.list, {}, token)
  const { id } = mustExist(
    students.find(({ belt_level }) => belt_level === 'yellow'),
    'A student with a yellow belt',
  )
  await call(kiosksApi.setPin, { params: { id }, body: { pin: PIN } }, token)
  return (await call(kiosksApi.create, { body: { name: 'Front door' } }, token)).token
}

async function planGrading(token: string): Promise<string> {
  const { styles } = await call(beltsApi.show, {}, token)
  for (const ladder of firstRow(styles).ladders.filter(({ is_retired }) => !is_retired)) {
    const { id, ranks, template: _, is_retired: __, ...form } = ladder
    const stripedRanks = ranks.map(({ students: ___, ...rank }) => ({ ...rank, stripes: 2 }))
    await call(
      beltsApi.changeLadder,
      { params: { id }, body: { ...form, ranks: stripedRanks } },
      token,
    )
  }
  const { on, students } = await call(readinessApi.ready, {}, token)
  const candidates = students
    .flatMap(({ student_id, next }) => (next ? [{ student_id, to_rank_id: next.id }] : []))
    .filter((_, place) => place % 3 === 0)
    .slice(0, GRADED_STUDENTS)
  const body = {
    name: 'Winter grading',
    held_on: on,
    held_at: '18:00',
    place: 'Main hall',
    fee: 40,
    candidates,
  }
  return (await call(gradingsApi.create, { body }, token)).id
}

async function take(browser: Browser, token: string, { file, path, on, dark, before }: Picture) {
  const context = await browser.newContext({
    ...on,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'America/Chicago',
  })
  await context.addInitScript(
    ([name, value]) => localStorage.setItem(name!, value!),
    [path === KIOSK ? 'kiosk-token' : 'token', token],
  )
  const page = await context.newPage()
  await page.goto(BASE + path)
  await page.waitForLoadState('networkidle')
  await before?.(page)
  await page.waitForTimeout(500)
  if (file.endsWith('.webp')) {
    const wire = await context.newCDPSession(page)
    const { data } = await wire.send('Page.captureScreenshot', {
      format: 'webp',
      quality: WEBP_QUALITY,
    })
    writeFileSync(file, Buffer.from(data, 'base64'))
  } else await page.screenshot({ path: file })
  await context.close()
}

const dataDir = mkdtempSync(join(tmpdir(), 'tatami-pictures-'))
const server = spawn(process.execPath, ['server/main.ts'], {
  env: {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    ENV_FILE: devNull,
    DEMO: '1',
    DATA_DIR: dataDir,
    PORT,
    LOG_LEVEL: 'warn',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
mkdirSync(LANDING, { recursive: true })
try {
  for await (const words of server.stdout) if (String(words).includes('ready')) break
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const body = { email: 'sensei@cedarpark.com', password: 'Tatami2026' }
  const { token } = await call(profileApi.login, { body })
  const wantedPictures = PICTURES.filter(({ file }) => file.includes(process.argv[2] ?? ''))
  const night = wantedPictures.some(({ path }) => path === NIGHT)
    ? `/gradings/${await planGrading(token)}`
    : NIGHT
  const kiosk = wantedPictures.some(({ path }) => path === KIOSK) ? await switchKioskOn(token) : ''
  for (const picture of wantedPictures)
    await take(browser, picture.path === KIOSK ? kiosk : token, {
      ...picture,
      path: picture.path === NIGHT ? night : picture.path,
    })
  await browser.close()
} finally {
  server.kill('SIGTERM')
  await once(server, 'exit')
  rmSync(dataDir, { recursive: true, force: true })
}

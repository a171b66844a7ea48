/** Takes pictures of the demo dojo for the README and the landing page: node
 *  scripts/take-pictures.ts [part of a file name]. Build the web app before this and again
 *  afterwards. FONTCONFIG_FILE can set a better font. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Locator, type Page } from '@playwright/test'
import { cashCountsApi } from '@tatami/contract/bookkeeping/cash-counts'
import { classesApi, classesOn, parseMinutes } from '@tatami/contract/classes/classes'
import { gradingsApi } from '@tatami/contract/gradings/gradings'
import { kiosksApi } from '@tatami/contract/kiosk/kiosks'
import { profileApi } from '@tatami/contract/profile/profile'
import { studentsApi } from '@tatami/contract/students/students'
import { createCaller } from '../bench/dojo.ts'
import { weekdayOf } from '@tatami/contract/lib/calendar-day'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { CLASSES } from '../server/demo/people.ts'
import { todayIn } from '../server/dojos/calendar.ts'
import { firstRow } from '../server/lib/rows.ts'
import { chromiumPath } from './chromium.mjs'

const PORT = process.env.PICTURES_PORT ?? '3999'
const BASE_URL = `http://127.0.0.1:${PORT}`
const README_FOLDER = 'docs/pictures'
const LANDING_FOLDER = 'web/landing/pictures'
const WEBP_QUALITY = 80
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

/** Stands for the page of today's belt test, because its id is different in each demo school. */
const TEST_DAY_PATH = '/gradings/today'
const KIOSK_PATH = '/kiosk'
const CASH_COUNT_PATH = '/cash-count'
const RESULTS = ['pass', 'pass', 'partial', 'pass'] as const
const PIN = '4711'
const PASSWORD = 'Tatami2026'
const SENSEI_EMAIL = 'sensei@cedarpark.com'
const MOTHER_EMAIL = 'ann.adams@cedarpark.com'

type Picture = {
  file: string
  path: string
  device: typeof PHONE | typeof DESKTOP
  isDark?: boolean
  /** The person who is logged in, by default the sensei. */
  email?: string
  prepare?: (page: Page) => Promise<void>
}
const pressButton = (page: Page, name: string) => page.getByRole('button', { name }).first().click()
const scrollTo = (name: string) => (page: Page) =>
  page.getByRole('region', { name }).evaluate((region) => {
    // Leaves space for the header, which covers the top of the page.
    region.style.scrollMarginTop = '4.5rem'
    region.scrollIntoView()
  })

/** Opens the roll of one of today's classes from the dashboard. */
async function openRoll(page: Page, place: 'first' | 'last') {
  const links = page
    .getByRole('region', { name: 'Today', exact: true })
    .getByRole('link', { name: /^Mark / })
  await links[place]().click()
  const roll = page.getByRole('dialog')
  await roll.getByRole('button', { name: 'Present', exact: true }).first().waitFor()
  await page.waitForLoadState('networkidle')
  return roll
}

async function markStudents(roll: Locator) {
  const presentRows = [0, 1, 2, 4]
  const absentRow = 3
  for (const row of presentRows)
    await roll.getByRole('button', { name: 'Present', exact: true }).nth(row).click()
  await roll.getByRole('button', { name: 'Absent', exact: true }).nth(absentRow).click()
}

async function markOnline(page: Page) {
  await markStudents(await openRoll(page, 'first'))
  await page.getByText('Saving').first().waitFor({ state: 'hidden' })
}

/** Marks students without a connection, so the marks are never sent. */
async function markOffline(page: Page) {
  const roll = await openRoll(page, 'last')
  await page.context().setOffline(true)
  await markStudents(roll)
  await page.waitForTimeout(1000)
}

/** Records results for two students who have none yet. There is no connection, so the results are
 *  never sent. */
async function recordOffline(page: Page) {
  await page.context().setOffline(true)
  for (const [index, result] of ['Pass', 'Absent'].entries())
    await page
      .getByRole('tabpanel')
      .getByRole('button', { name: result, exact: true })
      .nth(RESULTS.length + index)
      .click()
  await page.waitForTimeout(1000)
}

async function checkIn(page: Page) {
  for (const digit of PIN) await pressButton(page, digit)
  await pressButton(page, 'OK')
  await page.getByText('Welcome').waitFor()
}

const PICTURES: Picture[] = [
  { file: `${README_FOLDER}/kiosk-tablet.png`, path: KIOSK_PATH, device: TABLET, prepare: checkIn },
  {
    file: `${README_FOLDER}/grading-night-phone.png`,
    path: TEST_DAY_PATH,
    device: PHONE,
  },
  {
    file: `${README_FOLDER}/grading-night-offline-phone.png`,
    path: TEST_DAY_PATH,
    device: PHONE,
    isDark: true,
    prepare: recordOffline,
  },
  { file: `${README_FOLDER}/dashboard.png`, path: '/desktop', device: DESKTOP },
  { file: `${README_FOLDER}/students-phone.png`, path: '/students', device: PHONE },
  {
    file: `${README_FOLDER}/payments-phone.png`,
    path: '/payment-center',
    device: PHONE,
    isDark: true,
  },
  ...[false, true].flatMap((isDark): Picture[] => {
    const landingFile = (subject: string) =>
      `${LANDING_FOLDER}/${subject}-${isDark ? 'dark' : 'light'}.webp`
    return [
      { file: landingFile('dashboard'), path: '/desktop', device: SMALL_DESKTOP, isDark },
      {
        file: landingFile('payments'),
        path: '/payment-center?filter=yet_to_pay',
        device: SMALL_PHONE,
        isDark,
      },
      {
        file: landingFile('attendance'),
        path: '/dashboard',
        device: SMALL_PHONE,
        isDark,
        prepare: markOnline,
      },
      {
        file: landingFile('family'),
        path: '/dashboard',
        device: SMALL_PHONE,
        isDark,
        email: MOTHER_EMAIL,
        prepare: scrollTo('Your children'),
      },
      { file: landingFile('belt-test'), path: TEST_DAY_PATH, device: SMALL_PHONE, isDark },
      { file: landingFile('kiosk'), path: KIOSK_PATH, device: TABLET, isDark, prepare: checkIn },
      {
        file: landingFile('offline'),
        path: '/dashboard',
        device: SMALL_PHONE,
        isDark,
        prepare: markOffline,
      },
      { file: landingFile('till'), path: CASH_COUNT_PATH, device: SMALL_PHONE, isDark },
    ]
  }),
  {
    file: `${README_FOLDER}/attendance-phone.png`,
    path: '/dashboard',
    device: PHONE,
    prepare: markOnline,
  },
]

const TIME_ZONE = 'America/Chicago'
const MINUTE_MS = 60_000
const MINUTES_BEFORE_CLASS = 15

/** Computes how far to move the clocks of the server and the browser, to shortly before the first
 *  class. The kiosk does not check in anybody after the last class. */
function computeClockOffset(): number {
  const weekday = weekdayOf(todayIn(TIME_ZONE))
  const starts = CLASSES.filter(({ class_days }) => class_days.includes(weekday)).map(
    ({ class_start_time }) => parseMinutes(class_start_time) ?? 0,
  )
  const [hour = 0, minute = 0] = new Date()
    .toLocaleTimeString('en-GB', { timeZone: TIME_ZONE })
    .split(':')
    .map(Number)
  return (Math.min(...starts) - MINUTES_BEFORE_CLASS - (hour * 60 + minute)) * MINUTE_MS
}

const CLOCK_OFFSET_MS = computeClockOffset()
const call = createCaller(BASE_URL)

/** The kiosk checks a student in to the first class of the day. */
async function createKiosk(token: string): Promise<string> {
  const classes = await call(classesApi.list, {}, token)
  const { id: classId } = firstRow(classesOn(weekdayOf(todayIn(TIME_ZONE)), classes))
  const students = await call(studentsApi.list, {}, token)
  const { id } = mustExist(
    students.find(({ enrolled_classes }) => enrolled_classes.includes(classId)),
    'A student of the first class',
  )
  await call(kiosksApi.setPin, { params: { id }, body: { pin: PIN } }, token)
  return (await call(kiosksApi.create, { body: { name: 'Front door' } }, token)).token
}

/** Counts exactly the cash that the app expects, so the picture shows no difference. */
async function countCash(token: string) {
  const { date, expected_cash } = await call(cashCountsApi.show, {}, token)
  const cashCount = { params: { date }, body: { counted: expected_cash } }
  await call(cashCountsApi.set, cashCount, token)
}

/** Records the first results of today's test, and returns its id. */
async function recordResults(token: string): Promise<string> {
  const { id } = firstRow(await call(gradingsApi.list, {}, token))
  const { candidates } = await call(gradingsApi.show, { params: { id } }, token)
  const results = RESULTS.flatMap((result, index) => {
    const candidate = candidates[index]
    return candidate ? { student_id: candidate.student_id, result } : []
  })
  await call(gradingsApi.results, { params: { id }, body: { results } }, token)
  return id
}

async function takePicture(browser: Browser, token: string, picture: Picture) {
  const { file, path, device, isDark, prepare } = picture
  const context = await browser.newContext({
    ...device,
    colorScheme: isDark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'America/Chicago',
  })
  await context.clock.setSystemTime(Date.now() + CLOCK_OFFSET_MS)
  // The kiosk corrects its clock by this header, which Node takes from the computer's clock.
  if (path === KIOSK_PATH)
    await context.route('**/api/**', async (route) => {
      const response = await route.fetch()
      const date = new Date(Date.now() + CLOCK_OFFSET_MS).toUTCString()
      await route.fulfill({ response, headers: { ...response.headers(), date } })
    })
  await context.addInitScript(
    ([name = '', value = '']) => localStorage.setItem(name, value),
    [path === KIOSK_PATH ? 'kiosk-token' : 'token', token],
  )
  const page = await context.newPage()
  await page.goto(BASE_URL + path)
  await page.waitForLoadState('networkidle')
  await prepare?.(page)
  await page.waitForTimeout(500)
  if (file.endsWith('.webp')) {
    const devtools = await context.newCDPSession(page)
    const { data } = await devtools.send('Page.captureScreenshot', {
      format: 'webp',
      quality: WEBP_QUALITY,
    })
    writeFileSync(file, Buffer.from(data, 'base64'))
  } else await page.screenshot({ path: file })
  await context.close()
}

const dataDir = mkdtempSync(join(tmpdir(), 'tatami-pictures-'))
const server = spawn(process.execPath, ['--import', './scripts/move-clock.ts', 'server/main.ts'], {
  env: {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    ENV_FILE: devNull,
    DEMO: '1',
    DATA_DIR: dataDir,
    PORT,
    LOG_LEVEL: 'warn',
    CLOCK_OFFSET_MS: String(CLOCK_OFFSET_MS),
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
mkdirSync(LANDING_FOLDER, { recursive: true })
try {
  const outputs = server.stdout.iterator({ destroyOnReturn: false })
  for await (const output of outputs) if (String(output).includes('ready')) break
  // Otherwise the server would wait for a reader as soon as the pipe is full.
  server.stdout.resume()
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const logIn = async (email: string) =>
    (await call(profileApi.login, { body: { email, password: PASSWORD } })).token
  const senseiToken = await logIn(SENSEI_EMAIL)
  await countCash(senseiToken)
  const testId = await recordResults(senseiToken)
  const kioskToken = await createKiosk(senseiToken)
  for (const picture of PICTURES.filter(({ file }) => file.includes(process.argv[2] ?? ''))) {
    const token = picture.email ? await logIn(picture.email) : senseiToken
    await takePicture(browser, picture.path === KIOSK_PATH ? kioskToken : token, {
      ...picture,
      path: picture.path === TEST_DAY_PATH ? `/gradings/${testId}` : picture.path,
    })
  }
  await browser.close()
} finally {
  server.kill('SIGTERM')
  await once(server, 'exit')
  rmSync(dataDir, { recursive: true, force: true })
}

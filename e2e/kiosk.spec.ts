import { WEEKDAYS } from '@tatami/contract/lib/calendar-day'
import { classDatesApi } from '@tatami/contract/calendar/class-dates'
import { kioskApi } from '@tatami/contract/kiosk/kiosk'
import { kiosksApi } from '@tatami/contract/kiosk/kiosks'
import { call, createSession } from './api.ts'
import { setServerTime, runClockTo, stopClock, readPageTime } from './clock.ts'
import { type Dojo, uniqueEmail } from './dojo.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'
import {
  createKioskClass,
  enterPin,
  openKiosk,
  readPresentNames,
  tapDigits,
  typeName,
} from './kiosk.ts'

const LANDSCAPE = { width: 1180, height: 820 }

const createDailyClass = (dojo: Dojo, name: string, start: string, end: string) =>
  dojo.createClass({
    class_name: name,
    class_days: [...WEEKDAYS],
    class_start_time: start,
    class_end_time: end,
  })

test('sets up a kiosk on this device, which logs out, and ends it @both', async ({
  page,
  dojo,
  visit,
  layoutPath,
  allowErrors,
}) => {
  allowErrors(/401/)
  await createKioskClass(dojo, [])
  await signIn(page, dojo)
  await visit('/kiosks')
  await expect(page.getByText('No kiosks yet.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Set up this device' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up this device' })
  await expect(dialog.getByLabel('Name')).toHaveValue('Front door')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Set up this device' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Kids Karate' })).toBeVisible()
  await expect(page).toHaveURL('/kiosk')
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await page.goto(`${layoutPath}/students`)
  await expect(page).toHaveURL('/login')
  // An instructor logs in to leave the kiosk. Coming back to it logs the instructor out.
  const newSession = await createSession(dojo.email, dojo.password)
  await page.evaluate((value) => localStorage.setItem('token', value), newSession.token)
  await page.goto('/kiosk')
  await expect(page.getByRole('heading', { level: 1, name: 'Kids Karate' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  const { token } = await createSession(dojo.email, dojo.password)
  const [kiosk] = (await call(kiosksApi.list, {}, token)).kiosks
  await call(kiosksApi.end, { params: { id: kiosk!.id } }, token)
  await page.reload()
  await expect(page.getByText('An instructor ended this kiosk.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Log in' })).toBeVisible()
  await expectAccessible(page)
})

test('sets up a kiosk on another tablet with a link, and ends it in the list', async ({
  page,
  browser,
  baseURL,
  dojo,
  visit,
}) => {
  await createKioskClass(dojo, [])
  await signIn(page, dojo)
  await visit('/kiosks')
  await page.getByRole('button', { name: 'Set up another device' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Mat two')
  await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click()
  await expect(page.getByRole('img', { name: 'QR code for the link' })).toBeVisible()
  const link = await page.getByLabel('Link for the tablet').inputValue()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByText('Link not opened yet')).toBeVisible()
  const tabletContext = await browser.newContext({
    baseURL: baseURL!,
    timezoneId: 'America/Chicago',
    locale: 'en-US',
  })
  const tablet = await tabletContext.newPage()
  await tablet.goto(`/kiosk${new URL(link).hash}`)
  await tablet.getByRole('button', { name: 'Start the kiosk' }).click()
  await expect(tablet.getByRole('heading', { level: 1, name: 'Kids Karate' })).toBeVisible()
  await expect(tablet.getByText('Mat two')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'End: Mat two' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End' }).click()
  await expect(page.getByText('No kiosks yet.')).toBeVisible()
  await tablet.reload()
  await expect(tablet.getByText('An instructor ended this kiosk.')).toBeVisible()
  await tabletContext.close()
})

test('finds a name by its first letters, greets the student, and undoes a wrong tap', async ({
  page,
  dojo,
}) => {
  const { classId } = await createKioskClass(dojo, ['Emma Johnson', 'Emil Berg', 'Zoë Lund'])
  await openKiosk(page, dojo)
  await expect(page.getByText('Emma')).toBeHidden()
  await expectAccessible(page)
  await typeName(page, 'z')
  await expect(page.getByRole('button', { name: 'Zoë L.' })).toBeHidden()
  await typeName(page, 'zo')
  await expect(page.getByRole('button', { name: 'Zoë L.' })).toBeVisible()
  await typeName(page, 'em')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Emma J.' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome, Emma!' })).toBeVisible()
  await expect(page.getByText('Checked in for Kids Karate, 6:00 AM - 12:00 AM')).toBeVisible()
  await expectAccessible(page)
  expect(await readPresentNames(dojo, classId)).toEqual(['Emma Johnson'])
  await page.getByRole('button', { name: 'Not me' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Kids Karate' })).toBeVisible()
  await expect(page.getByLabel('Type the first letters of your name')).toHaveValue('')
  await expect.poll(() => readPresentNames(dojo, classId)).toEqual([])
})

test('greets for ten seconds, or until the next tap', async ({ page, dojo }) => {
  await page.clock.install()
  const { students } = await createKioskClass(dojo, ['Emma Johnson'])
  await call(
    kiosksApi.setPin,
    { params: { id: students[0]!.id }, body: { pin: '471147' } },
    dojo.token,
  )
  await openKiosk(page, dojo)
  await expect(page.getByRole('group', { name: 'PIN' })).toBeVisible()
  const welcome = page.getByRole('heading', { level: 1, name: 'Welcome, Emma!' })
  await stopClock(page)
  // A PIN has at most six digits, so the sixth submits it.
  await tapDigits(page, '471147')
  await expect(welcome).toBeVisible()
  const startTime = await readPageTime(page)
  await runClockTo(page, startTime + 9_900)
  await expect(welcome).toBeVisible()
  await runClockTo(page, startTime + 10_100)
  await expect(welcome).toBeHidden()
  await tapDigits(page, '471147')
  await expect(page.getByText('Already checked in for Kids Karate')).toBeVisible()
  await page.clock.runFor(1_000)
  await welcome.click()
  await expect(welcome).toBeHidden()
})

test('reports a wrong PIN, and asks for the PIN after a name if the dojo requires it', async ({
  page,
  dojo,
  allowErrors,
}) => {
  allowErrors(/422/)
  const { classId, students } = await createKioskClass(dojo, ['Emma Johnson'])
  await call(
    kiosksApi.setPin,
    { params: { id: students[0]!.id }, body: { pin: '4711' } },
    dojo.token,
  )
  await call(kiosksApi.setSettings, { body: { asks_pin: true } }, dojo.token)
  await openKiosk(page, dojo)
  await enterPin(page, '4712')
  await expect(page.getByRole('alert')).toHaveText('We don’t recognize this PIN. Please try again.')
  await typeName(page, 'emma')
  await page.getByRole('button', { name: 'Emma J.' }).click()
  await expect(page.getByRole('heading', { name: 'Emma J., please enter your PIN' })).toBeVisible()
  await expectAccessible(page)
  // A PIN can also be typed on a keyboard.
  await page.keyboard.type('9999')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('That is not your PIN. Please try again.')
  expect(await readPresentNames(dojo, classId)).toEqual([])
  await page.keyboard.type('4711')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome, Emma!' })).toBeVisible()
  expect(await readPresentNames(dojo, classId)).toEqual(['Emma Johnson'])
})

test('checks in a guest for another class of the day', async ({ page, dojo }) => {
  const { classId } = await createKioskClass(dojo, ['Emma Johnson'])
  const adults = await createDailyClass(dojo, 'Adults', '11:00 PM', '12:00 AM')
  await dojo.createStudent({ name: 'Guest Miller', email: uniqueEmail('guest') })
  await openKiosk(page, dojo)
  await page.setViewportSize(LANDSCAPE)
  await page.getByRole('button', { name: 'Other class' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Adults' }).click()
  await typeName(page, 'guest')
  await page.getByRole('button', { name: 'Guest M.' }).click()
  await expect(page.getByText('Checked in for Adults')).toBeVisible()
  expect([await readPresentNames(dojo, adults.id), await readPresentNames(dojo, classId)]).toEqual([
    ['Guest Miller'],
    [],
  ])
})

test('asks students who are not in the class before checking them in as guests', async ({
  page,
  dojo,
  allowErrors,
}) => {
  allowErrors(/422/)
  const { classId } = await createKioskClass(dojo, ['Emma Johnson'])
  await dojo.createStudent({ name: 'Guest Miller', email: uniqueEmail('guest') })
  await openKiosk(page, dojo)
  const tapGuest = async () => {
    await typeName(page, 'guest')
    await page.getByRole('button', { name: 'Guest M.' }).click()
    await expect(
      page.getByRole('heading', { name: 'You’re not in Kids Karate. Are you here as a guest?' }),
    ).toBeVisible()
  }
  await tapGuest()
  await expectAccessible(page)
  expect(await readPresentNames(dojo, classId)).toEqual([])
  await page.getByRole('button', { name: 'Back' }).click()
  await tapGuest()
  await page.getByRole('button', { name: 'Check in as a guest' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome, Guest!' })).toBeVisible()
  expect(await readPresentNames(dojo, classId)).toEqual(['Guest Miller'])
})

test('never offers a class that has ended', async ({ page, dojo }) => {
  await createDailyClass(dojo, 'Early Birds', '6:00 AM', '7:00 AM')
  await createDailyClass(dojo, 'Teens', '7:00 PM', '8:00 PM')
  await createDailyClass(dojo, 'Adults', '8:00 PM', '9:00 PM')
  const { token } = await call(kiosksApi.create, { body: { name: 'Mat two' } }, dojo.token)
  const { today: day } = await call(kioskApi.show, {}, token)
  const noon = Date.parse(`${day}T18:00:00Z`)
  await setServerTime(page, noon)
  await openKiosk(page, dojo)
  await expect(page.getByRole('heading', { level: 1, name: 'Teens' })).toBeVisible()
  await page.getByRole('button', { name: 'Other class' }).click()
  await expect(page.getByRole('main').getByRole('button')).toHaveText([/^Teens/, /^Adults/])
  const afterLastClass = noon + 10.5 * 3_600_000
  await setServerTime(page, afterLastClass)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'No more classes today' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Other class' })).toBeHidden()
  await expectAccessible(page)
})

test('a check-in appears on the instructor’s open roll within fifteen seconds', async ({
  page,
  dojo,
  visit,
}) => {
  await page.clock.install()
  const { classId } = await createKioskClass(dojo, ['Emma Johnson'])
  const { token } = await call(kiosksApi.create, { body: { name: 'Front door' } }, dojo.token)
  const { today } = await call(kioskApi.show, {}, token)
  await signIn(page, dojo)
  await visit(`/attendance?class=${classId}&date=${today}`)
  const roll = page.getByRole('dialog')
  const presentButton = roll.getByRole('button', { name: 'Present', exact: true })
  await expect(presentButton).toHaveAttribute('aria-pressed', 'false')
  const { students } = await call(kioskApi.search, { body: { text: 'emma' } }, token)
  const body = {
    id: '01890000-0000-7000-8000-000000000001',
    class_id: classId,
    passes: [students[0]!.pass],
  }
  await call(kioskApi.checkIn, { body }, token)
  await page.clock.runFor(15_000)
  await expect(presentButton).toHaveAttribute('aria-pressed', 'true')
})

test('shows that there is no class today, and names a canceled class', async ({ page, dojo }) => {
  const { id: class_id } = await createDailyClass(dojo, 'Kids Karate', '6:00 AM', '10:00 PM')
  const { token } = await call(kiosksApi.create, { body: { name: 'Mat two' } }, dojo.token)
  const { today: day } = await call(kioskApi.show, {}, token)
  await call(classDatesApi.cancel, { body: { class_id, day, reason: 'Weather' } }, dojo.token)
  const noon = Date.parse(`${day}T18:00:00Z`)
  await setServerTime(page, noon)
  await openKiosk(page, dojo)
  await expect(page.getByRole('heading', { level: 1, name: 'No class today' })).toBeVisible()
  const cancelNotice = page.getByText('Kids Karate, 6:00 AM - 10:00 PM, is canceled today.')
  await expect(cancelNotice).toBeVisible()
  await expectAccessible(page)
  const afterClassEnd = noon + 10.5 * 3_600_000
  await setServerTime(page, afterClassEnd)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'No class today' })).toBeVisible()
  await expect(cancelNotice).toBeHidden()
})

test('an instructor sets and removes a PIN on the student’s page', async ({
  page,
  dojo,
  visit,
}) => {
  const { students } = await createKioskClass(dojo, ['Emma Johnson'])
  await call(kiosksApi.create, { body: { name: 'Front door' } }, dojo.token)
  await signIn(page, dojo)
  await visit(`/students/${students[0]!.id}`)
  await expect(page.getByText('Emma has no PIN yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Set a PIN' }).click()
  const dialog = page.getByRole('dialog', { name: 'Emma’s PIN' })
  await dialog.getByLabel('PIN', { exact: false }).fill('4711')
  await dialog.getByRole('button', { name: 'Save PIN' }).click()
  await expect(page.getByText('Emma has a PIN for check-in.')).toBeVisible()
  await page.getByRole('button', { name: 'Change PIN' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove PIN' }).click()
  await expect(page.getByText('Emma has no PIN yet.')).toBeVisible()
})

test('offers the kiosk settings only to instructors', async ({ page, dojo }) => {
  const ken = await dojo.createStudent()
  for (const [session, link] of [
    [await dojo.createSession(ken), 'Dashboard'],
    [dojo, 'Kiosk settings'],
  ] as const) {
    await signIn(page, session)
    await page.goto('/kiosk')
    await expect(page.getByRole('main').getByRole('link')).toHaveText([link])
  }
})

import { utcDay } from '@tatami/contract/lib/calendar-day'
import type { Input } from '@tatami/contract/lib/endpoint'
import type { Page } from '@playwright/test'
import { announcementsApi } from '@tatami/contract/messages/announcements'
import { attendanceApi } from '@tatami/contract/attendance/attendance'
import { paymentsApi } from '@tatami/contract/dues/payments'
import { call } from './api.ts'
import { readBackground, readColor, themeColor } from './colors.ts'
import type { Dojo } from './dojo.ts'
import {
  expect,
  expectAccessible,
  expectAllAccessible,
  horizontalOverflow,
  signIn,
  test,
  collectWarnings,
} from './harness.ts'

const WEDNESDAY = '2027-03-03T12:00:00-06:00'
const LEAP_DAY = '2028-02-29T12:00:00-06:00'

const calendarDay = (page: Page, name: string) =>
  page.getByRole('grid').getByRole('button', { name, exact: true })
const details = (page: Page) => page.getByRole('region', { name: 'Birthday Details' })
const today = (page: Page) => page.getByRole('region', { name: 'Today' })

const MAX_EMPTY_PIXELS = 80

/** Lists the titles of cards with much empty space. */
const listHalfEmptyCards = (page: Page) =>
  page.getByRole('main').evaluate(
    (main, maxEmptyPixels) =>
      [...main.querySelectorAll('section:has(> div > h2)')].flatMap((card) => {
        const contents = [...card.children].map((part) => part.getBoundingClientRect().bottom)
        const emptyPixels = card.getBoundingClientRect().bottom - Math.max(...contents)
        return emptyPixels > maxEmptyPixels ? `${card.querySelector('h2')?.textContent}` : []
      }),
    MAX_EMPTY_PIXELS,
  )

const markAttendance = (dojo: Dojo, body: Input<typeof attendanceApi.mark>['body']) =>
  call(attendanceApi.mark, { body }, dojo.token)

test('shows a new dojo its empty dashboard', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  await page.route('**/api/student-birthdays', async (route) => {
    await expect(page.getByText('Loading dashboard...')).toBeVisible()
    await route.continue()
  })
  await visit('/dashboard')
  await expect(page.getByRole('heading', { name: 'Welcome back, Aiko Tanaka!' })).toBeVisible()
  await expect(page.getByText('Tanaka Dojo Dashboard')).toBeVisible()
  await expect(page.getByText('No student birthdays recorded yet')).toBeVisible()
  await expect(details(page)).toContainText('Click on a calendar date to view birthday details')
  await expect(today(page)).toContainText('No classes today.')
  await expectAllAccessible(page)
  await today(page).getByRole('link', { name: 'Set up your classes' }).click()
  await expect(page).toHaveURL(/\/class-center$/)
})

test('shows the instructor’s dashboard to a dojo without a name', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  await page.route('**/api/profile', async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      json: { ...((await response.json()) as object), dojo_name: null },
    })
  })
  await visit('/dashboard')
  await expect(page.getByText('Instructor Dashboard')).toBeVisible()
})

test('the quick actions and the four numbers lead to their screens', async ({
  page,
  dojo,
  visit,
  layoutPath,
}) => {
  await dojo.createStudent()
  await dojo.createStudent({ name: 'Mia Brown', is_trial: true })
  await signIn(page, dojo)
  await visit('/dashboard')
  await expect(page.getByRole('region', { name: 'Quick Actions' })).toHaveText(
    /Enroll New Student.*Student Center.*Mark Attendance$/,
  )
  await expect(
    page.getByRole('list', { name: 'Students', exact: true }).getByRole('link'),
  ).toHaveText([
    '2 Total Students +2 this month',
    '1 Regular Students +1 this month',
    '1 Trial Students +1 this month',
    '0 Students on Vacation no change',
  ])
  await page.getByRole('button', { name: 'Enroll New Student' }).click()
  await page
    .getByRole('dialog', { name: 'Enroll New Student' })
    .getByRole('button', { name: 'Close' })
    .click()
  await expect(page.getByRole('button', { name: 'Enroll New Student' })).toBeFocused()
  for (const [tile, path] of [
    ['2 Total Students', '/students?filter=all'],
    ['1 Regular Students', '/students?filter=regular'],
    ['1 Trial Students', '/students?filter=trial'],
    ['0 Students on Vacation', '/students?filter=vacation'],
    ['Student Center', '/students'],
    ['Mark Attendance', '/attendance'],
  ] as const) {
    await page.getByRole('main').getByRole('link', { name: tile }).click()
    await expect(page).toHaveURL(`${layoutPath}${path}`)
    await page.goBack()
  }
})

test('shows today’s classes, how many are marked, and birthdays', async ({ page, dojo, visit }) => {
  const { id } = await dojo.createClass({
    class_name: 'Little Dragons',
    class_days: ['monday', 'wednesday'],
  })
  await dojo.createClass({
    class_name: 'Early Birds',
    class_days: ['wednesday'],
    class_start_time: '6:00 AM',
    class_end_time: '7:00 AM',
  })
  await dojo.createClass({ class_name: 'Open Mat', class_days: ['friday'] })
  const ken = await dojo.createStudent({
    name: 'Ken Adams',
    date_of_birth: '2015-03-03',
    enrolled_classes: [id],
  })
  await dojo.createStudent({ name: 'Mia Brown', date_of_birth: '2015-03-04' })
  const class_date = '2027-03-03T00:00:00.000Z'
  await markAttendance(dojo, { student_id: ken.id, class_id: id, class_date, present: true })
  await signIn(page, dojo)
  await page.clock.install({ time: new Date(WEDNESDAY) })
  await visit('/dashboard')
  await expect(today(page)).toContainText('Wednesday, March 3')
  await expect(
    today(page)
      .getByRole('listitem')
      .filter({ has: page.getByRole('link') }),
  ).toContainText(['Early Birds', 'Little Dragons'])
  await expect(
    today(page).getByRole('listitem').filter({ hasText: 'Little Dragons' }),
  ).toContainText('1 present, 0 absent')
  await expect(today(page).getByRole('list', { name: 'Birthdays today' })).toHaveText(
    'Ken Adams turns 12',
  )
  await expectAllAccessible(page)
  await today(page).getByRole('link', { name: 'Mark Little Dragons' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark Attendance' })
  await expect(dialog.getByLabel('Class')).toHaveValue(id)
  await expect(dialog.getByLabel('Date')).toHaveValue('2027-03-03')
})

test('counts and names birthdays in the calendar', async ({ page, dojo, visit }) => {
  await dojo.createStudent({ name: 'Leap Adams', date_of_birth: '2016-02-29' })
  await dojo.createStudent({ name: 'Mia Brown', date_of_birth: '2010-02-28' })
  await signIn(page, dojo)
  await page.clock.install({ time: new Date(LEAP_DAY) })
  await visit('/dashboard')
  await expect(page.getByRole('grid').getByRole('columnheader')).toHaveText([
    /^Sun/,
    /^Mon/,
    /^Tue/,
    /^Wed/,
    /^Thu/,
    /^Fri/,
    /^Sat/,
  ])
  const leapDay = calendarDay(page, 'Tuesday, February 29, today, 1 birthday')
  await expect(leapDay).toHaveAttribute('aria-current', 'date')
  await expect(leapDay).toHaveText(/^29\s*1$/)
  await expect(page.getByText('No student birthdays recorded yet')).toHaveCount(0)
  await expect(details(page).getByRole('listitem')).toHaveText([
    'Leap Adams turns 13February 28',
    'Mia Brown turns 19February 28',
  ])
  await leapDay.click()
  await expect(details(page)).toContainText('Leap Adams turns 12')
  await calendarDay(page, 'Sunday, February 6').click()
  await expect(details(page)).toContainText('Click on a calendar date to view birthday details')
  for (let month = 0; month < 12; month += 1)
    await page.getByRole('button', { name: 'Next month' }).click()
  await expect(page.getByText('February 2029')).toBeVisible()
  await calendarDay(page, 'Wednesday, February 28, 2 birthdays').click()
  await expect(details(page).getByRole('listitem')).toHaveText([
    'Leap Adams turns 13',
    'Mia Brown turns 19',
  ])
  await expectAllAccessible(page)
  await page.keyboard.press('ArrowRight')
  await expect(calendarDay(page, 'Thursday, March 1')).toBeFocused()
  for (const key of ['ArrowUp', 'Home', 'ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowRight'])
    await page.keyboard.press(key)
  await expect(calendarDay(page, 'Wednesday, February 28, 2 birthdays')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(details(page)).toContainText('February 28')
  await page.getByRole('button', { name: 'Previous month' }).click()
  await expect(page.getByText('January 2029')).toBeVisible()
})

test(
  'distinguishes today and days with birthdays by look and label',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await dojo.createStudent({ date_of_birth: '2015-03-04' })
    await dojo.createStudent({ name: 'Mia Brown', date_of_birth: '2016-03-04' })
    await signIn(page, dojo)
    await page.clock.install({ time: new Date(WEDNESDAY) })
    await visit('/dashboard')
    const ordinaryCell = calendarDay(page, 'Friday, March 5')
    const birthdayCell = calendarDay(page, 'Thursday, March 4, 2 birthdays')
    const todayCell = calendarDay(page, 'Wednesday, March 3, today')
    const backgroundAndBorder = async (cell: typeof ordinaryCell) => [
      await readBackground(cell),
      await cell.evaluate((element) => getComputedStyle(element).borderTopColor),
    ]
    const CLEAR = 'rgba(0, 0, 0, 0)'
    await expect(page.getByRole('grid').locator('[aria-current]')).toHaveCount(1)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const violet = await themeColor(page, 'violet')
      const tint = await themeColor(page, 'violet-tint')
      expect(await backgroundAndBorder(ordinaryCell)).toEqual([CLEAR, CLEAR])
      expect(await backgroundAndBorder(birthdayCell)).toEqual([tint, CLEAR])
      expect(await backgroundAndBorder(todayCell)).toEqual([CLEAR, violet])
      const badge = birthdayCell.getByText('2', { exact: true })
      await expect(badge).toBeVisible()
      expect(await readBackground(badge)).toBe(violet)
    }
    await expect(todayCell).toHaveAttribute('aria-current', 'date')
    await expect(ordinaryCell).toHaveText('5')
  },
)

test('shows the dojo’s figures as charts and as text', async ({ page, dojo, visit }) => {
  const { id } = await dojo.createClass()
  await dojo.createClass({ class_name: 'Open Mat' })
  const ken = await dojo.createStudent({
    belt_level: 'green',
    gender: 'male',
    enrolled_classes: [id],
    is_trial: false,
  })
  await dojo.createStudent({ belt_level: 'green', gender: 'female', is_trial: false })
  await dojo.createStudent({ is_trial: true, gender: 'female' })
  const now = new Date()
  const class_date = `${utcDay(now)}T00:00:00.000Z`
  await markAttendance(dojo, { student_id: ken.id, class_id: id, class_date, present: true })
  const dateParts = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/Chicago',
    year: 'numeric',
    month: 'numeric',
  }).formatToParts(now)
  const partOf = (type: string) => Number(dateParts.find((entry) => entry.type === type)?.value)
  await call(
    paymentsApi.mark,
    {
      body: {
        student_id: ken.id,
        payment_month: partOf('month') - 1,
        payment_year: partOf('year'),
        payment_status: 'paid',
      },
    },
    dojo.token,
  )
  await signIn(page, dojo)
  await visit('/dashboard')
  await page.getByText('Run your dojo, not your paperwork.').scrollIntoViewIfNeeded()
  for (const [question, answer] of [
    ['Is your school growing?', '3 students in your first year here'],
    ['Are the fees coming in?', '50% of this month’s fees are in'],
    ['Do students come to class?', '100% present'],
  ] as const)
    await expect(page.getByRole('region', { name: question })).toContainText(answer)
  expect(await listHalfEmptyCards(page)).toEqual([])
  await expectAllAccessible(page)
  await page.getByRole('link', { name: 'All numbers' }).click()
  const chart = (name: string) => page.getByRole('region', { name, exact: true })
  await expect(chart('Students by Belt').getByRole('row', { name: 'Green' })).toHaveText('Green2')
  await expect(chart('Students by Age').getByRole('row', { name: '13–17' })).toHaveText('13–173')
  await expect(chart('Students by Gender').getByRole('row', { name: 'Female' })).toHaveText(
    'Female2',
  )
  await expect(
    chart('Attendance by Class').getByRole('row', { name: 'Little Dragons' }),
  ).toHaveText('Little Dragons100%')
  await expect(chart('Attendance by Class').getByRole('row', { name: 'Open Mat' })).toHaveText(
    'Open Matno marks',
  )
  await expect(chart('Payments')).toContainText('This month: $85.50 of $171.00')
  expect(await listHalfEmptyCards(page)).toEqual([])
  for (const [name, lastRow] of [
    ['Payments', '$171.00$85.50'],
    ['Enrollments and Departures', '30'],
  ] as const) {
    await chart(name).getByText('Show as a table').click()
    await expect(chart(name).getByRole('row')).toHaveCount(13)
    await expect(chart(name).getByRole('row').last()).toContainText(lastRow)
  }
  await expectAllAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await horizontalOverflow(page)).toBe(0)
})

test(
  'leaves out sections that cannot be loaded, and logs warnings',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    const warnings = collectWarnings(page)
    allowErrors(/ERR_FAILED/)
    await dojo.createClass()
    await signIn(page, dojo)
    for (const path of ['dashboard/*', 'student-birthdays', 'classes', 'attendance*']) {
      await page.route(`**/api/${path}`, (route) => route.abort())
    }
    await visit('/dashboard')
    await expect(page.getByRole('link', { name: 'Total Students' })).toBeVisible()
    await expect(page.getByText('Loading dashboard...')).toBeHidden()
    await expect(page.getByText('No student birthdays recorded yet')).toBeVisible()
    const requestPromise = page.waitForRequest('**/api/dashboard/analytics')
    await page.getByText('Run your dojo, not your paperwork.').scrollIntoViewIfNeeded()
    await requestPromise
    await expect(page.getByRole('region', { name: 'Analytics' })).toHaveCount(0)
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect
      .poll(() => warnings.toSorted())
      .toEqual(
        [
          '/attendance',
          '/classes',
          '/dashboard/analytics',
          '/dashboard/stats',
          '/student-birthdays',
        ].map((path) => `GET ${path} failed: no response`),
      )
    await page.unrouteAll()
    await expect(page.getByText('Your classes could not be loaded.')).toBeHidden()
  },
)

test('shows students their profile, attendance and newest announcements', async ({
  page,
  dojo,
  visit,
}) => {
  const { id } = await dojo.createClass()
  const trial = await dojo.createStudent({ name: 'Mia Brown', is_trial: true })
  const ken = await dojo.createStudent({
    name: 'Ken Adams',
    belt_level: 'green',
    is_trial: false,
    enrolled_classes: [id],
  })
  const announce = (title: string, message: string, category: string, ids?: string[]) =>
    call(
      announcementsApi.send,
      { body: { title, message, category, ...(ids && { student_ids: ids }) } },
      dojo.token,
    )
  for (const title of ['Old news', 'Open mat', 'Holiday hours', 'Belt test', 'Friday'])
    await announce(title, 'See you there.', 'general', [ken.id])
  await announce('Monthly fee', `${'y'.repeat(100)}z`, 'fee', [ken.id])
  for (let date = 11; date <= 21; date += 1)
    await markAttendance(dojo, {
      student_id: ken.id,
      class_id: id,
      class_date: `2026-01-${date}T00:00:00.000Z`,
      present: date !== 21,
    })

  await signIn(page, await dojo.createSession(trial))
  await visit('/dashboard')
  await expect(page.getByText('White Belt • Trial Student')).toBeVisible()
  await expect(
    page.getByText('No attendance yet. Your instructor marks it in each class.'),
  ).toBeVisible()
  await expect(page.getByText('No announcements yet. They’ll appear here.')).toBeVisible()

  await signIn(page, await dojo.createSession(ken))
  await visit('/dashboard')
  await expect(page.getByRole('heading', { name: 'Welcome back, Ken Adams!' })).toBeVisible()
  await expect(page.getByText('Student Dashboard')).toBeVisible()
  await expect(page.getByText('Green Belt • Regular Student')).toBeVisible()
  const records = page.getByRole('region', { name: 'My Attendance History' }).getByRole('listitem')
  await expect(records).toHaveCount(10)
  for (const text of ['Monday, Wednesday', 'Jan 21, 2026', 'Absent'])
    await expect(records.first()).toContainText(text)
  await expect(records.last()).toContainText('Present')
  const announcements = page
    .getByRole('region', { name: 'Recent Announcements' })
    .getByRole('listitem')
  await expect(announcements).toContainText([
    'Monthly fee',
    'Friday',
    'Belt test',
    'Holiday hours',
    'Open mat',
  ])
  await expect(announcements).toHaveCount(5)
  for (const text of ['Fee', `${'y'.repeat(100)}…`])
    await expect(announcements.first()).toContainText(text)
  await expect(announcements.first()).not.toContainText('z')
  await expect(announcements.last()).toContainText('General')
  const createdDate = new Date().toLocaleDateString('en-US', {
    dateStyle: 'medium',
    timeZone: 'America/Chicago',
  })
  for (const announcement of await announcements.all())
    await expect(announcement.getByRole('time')).toHaveText(createdDate)
  expect(await readColor(announcements.first().getByText('Fee', { exact: true }))).toBe(
    await themeColor(page, 'orange'),
  )
  expect(await readColor(announcements.last().getByText('General', { exact: true }))).toBe(
    await themeColor(page, 'blue'),
  )
  await expectAllAccessible(page)
})

test('opens the full text of an announcement by tap and by keyboard', async ({
  page,
  dojo,
  visit,
}) => {
  const ken = await dojo.createStudent()
  const announce = (title: string, message: string) =>
    call(
      announcementsApi.send,
      { body: { title, message, category: 'general', student_ids: [ken.id] } },
      dojo.token,
    )
  await announce('Holiday hours', `${'We are closed. '.repeat(10)}Back on Monday.`)
  await announce('Short', 'See you there.')
  await signIn(page, await dojo.createSession(ken))
  await visit('/dashboard')
  const announcements = page
    .getByRole('region', { name: 'Recent Announcements' })
    .getByRole('listitem')
  const longAnnouncement = announcements.filter({ hasText: 'Holiday hours' })
  const fullText = page.getByRole('dialog', { name: 'Holiday hours' })
  await expect(longAnnouncement).not.toContainText('Back on Monday.')
  await expect(announcements.filter({ hasText: 'Short' }).getByRole('button')).toHaveCount(0)
  await longAnnouncement.click({ position: { x: 20, y: 30 } })
  await expect(fullText).toContainText('Back on Monday.')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(fullText).toBeHidden()
  const readMore = longAnnouncement.getByRole('button', { name: 'Read more: Holiday hours' })
  await expect(readMore).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(fullText).toContainText('Back on Monday.')
  await fullText.getByRole('button', { name: 'Close' }).last().click()
  await expect(fullText).toBeHidden()
})

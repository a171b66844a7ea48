import type { Page } from '@playwright/test'
import { attendanceApi } from '@tatami/contract/attendance'
import { call } from './api.ts'
import type { Dojo } from './dojo.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const WEDNESDAY = '2027-03-03T12:00:00-06:00'
const LEAP_DAY = '2028-02-29T12:00:00-06:00'

const day = (page: Page, name: string) => page.getByRole('grid').getByRole('button', { name, exact: true })
const details = (page: Page) => page.getByRole('region', { name: 'Birthday Details' })
const today = (page: Page) => page.getByRole('region', { name: 'Today' })

/** The whole page at once: at the edges of a phone's screen the shell's bars cover parts of what scrolls beneath them. */
async function expectAllAccessible(page: Page) {
  const { width, height } = page.viewportSize()!
  await page.setViewportSize({ width, height: 2400 })
  await expectAccessible(page)
  await page.setViewportSize({ width, height })
}

const markOn = (dojo: Dojo, student_id: string, class_id: string, class_date: string, present: boolean) =>
  call(attendanceApi.mark, { body: { student_id, class_id, class_date, present } }, dojo.token)

test('a new dojo sees its dashboard, empty', async ({ page, dojo, visit }) => {
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

test('the quick actions and the four numbers lead on', async ({ page, dojo, visit, shell }) => {
  await dojo.createStudent()
  await dojo.createStudent({ name: 'Mia Brown', is_trial: true })
  await signIn(page, dojo)
  await visit('/dashboard')
  await page.getByRole('button', { name: 'Enroll New Student' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('button', { name: 'Enroll New Student' })).toBeFocused()
  for (const [tile, path] of [
    ['2 Total Students', '/students?filter=all'], ['1 Regular Students', '/students?filter=regular'],
    ['1 Trial Students', '/students?filter=trial'], ['0 Students on Vacation', '/students?filter=vacation'],
    ['Student Center', '/students'], ['Mark Attendance', '/attendance'],
  ] as const) {
    await page.getByRole('main').getByRole('link', { name: tile }).click()
    await expect(page).toHaveURL(`${shell}${path}`)
    await page.goBack()
  }
})

test('today says which classes are to be marked, how far that is, and whose birthday it is', async ({ page, dojo, visit }) => {
  const { id } = await dojo.createClass({ class_name: 'Little Dragons', class_days: ['monday', 'wednesday'] })
  await dojo.createClass({ class_name: 'Early Birds', class_days: ['wednesday'], class_start_time: '6:00 AM', class_end_time: '7:00 AM' })
  await dojo.createClass({ class_name: 'Open Mat', class_days: ['friday'] })
  const ken = await dojo.createStudent({ name: 'Ken Adams', date_of_birth: '2015-03-03', enrolled_classes: [id] })
  await dojo.createStudent({ name: 'Mia Brown', date_of_birth: '2015-03-04' })
  await markOn(dojo, ken.id, id, '2027-03-03T00:00:00.000Z', true)
  await signIn(page, dojo)
  await page.clock.install({ time: new Date(WEDNESDAY) })
  await visit('/dashboard')
  await expect(today(page)).toContainText('Wednesday, March 3')
  await expect(today(page).getByRole('listitem').filter({ has: page.getByRole('link') })).toContainText(['Early Birds', 'Little Dragons'])
  await expect(today(page).getByRole('listitem').filter({ hasText: 'Little Dragons' })).toContainText('1 present, 0 absent')
  await expect(today(page).getByRole('list', { name: 'Birthdays today' })).toHaveText('Ken Adams turns 12')
  await expectAllAccessible(page)
  await today(page).getByRole('link', { name: 'Mark Little Dragons' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark Attendance' })
  await expect(dialog.getByLabel('Class')).toHaveValue(id)
  await expect(dialog.getByLabel('Date')).toHaveValue('2027-03-03')
})

test('the calendar counts birthdays and names them', async ({ page, dojo, visit }) => {
  await dojo.createStudent({ name: 'Leap Adams', date_of_birth: '2016-02-29' })
  await dojo.createStudent({ name: 'Mia Brown', date_of_birth: '2010-02-28' })
  await signIn(page, dojo)
  await page.clock.install({ time: new Date(LEAP_DAY) })
  await visit('/dashboard')
  await expect(page.getByRole('columnheader')).toHaveText([/^Sun/, /^Mon/, /^Tue/, /^Wed/, /^Thu/, /^Fri/, /^Sat/])
  const leapDay = day(page, 'Tuesday, February 29, today, 1 birthday')
  await expect(leapDay).toHaveAttribute('aria-current', 'date')
  await expect(leapDay).toHaveText(/^29\s*1$/)
  await leapDay.click()
  await expect(details(page)).toContainText('Leap Adams turns 12')
  await day(page, 'Sunday, February 6').click()
  await expect(details(page)).toContainText('Click on a calendar date to view birthday details')

  for (let month = 0; month < 12; month += 1) await page.getByRole('button', { name: 'Next month' }).click()
  await expect(page.getByText('February 2029')).toBeVisible()
  await day(page, 'Wednesday, February 28, 2 birthdays').click()
  await expect(details(page).getByRole('listitem')).toHaveText(['Leap Adams turns 13', 'Mia Brown turns 19'])
  await expectAllAccessible(page)

  await page.keyboard.press('ArrowRight')
  await expect(day(page, 'Thursday, March 1')).toBeFocused()
  for (const key of ['ArrowUp', 'Home', 'ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
  await expect(day(page, 'Wednesday, February 28, 2 birthdays')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(details(page)).toContainText('February 28')
  await page.getByRole('button', { name: 'Previous month' }).click()
  await expect(page.getByText('January 2029')).toBeVisible()
})

test('what cannot be loaded stays quietly empty', async ({ page, dojo, visit, announce }) => {
  announce(/ERR_FAILED/)
  await dojo.createClass()
  await signIn(page, dojo)
  for (const path of ['dashboard/stats', 'student-birthdays', 'classes', 'attendance*']) {
    await page.route(`**/api/${path}`, (route) => route.abort())
  }
  await visit('/dashboard')
  await expect(page.getByRole('link', { name: 'Total Students' })).toBeVisible()
  await expect(page.getByText('Loading dashboard...')).toBeHidden()
  await expect(page.getByText('No student birthdays recorded yet')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('students see who they are and where they were', async ({ page, dojo, visit }) => {
  const { id } = await dojo.createClass()
  const trial = await dojo.createStudent({ name: 'Mia Brown', is_trial: true })
  const ken = await dojo.createStudent({ name: 'Ken Adams', belt_level: 'green', is_trial: false, enrolled_classes: [id] })
  for (let date = 11; date <= 21; date += 1) await markOn(dojo, ken.id, id, `2026-01-${date}T00:00:00.000Z`, date !== 21)

  await signIn(page, await dojo.enter(trial))
  await visit('/dashboard')
  await expect(page.getByText('White Belt • Trial Student')).toBeVisible()
  await expect(page.getByText('Nothing here yet. Your instructor marks who is there in each class.')).toBeVisible()

  await signIn(page, await dojo.enter(ken))
  await visit('/dashboard')
  await expect(page.getByRole('heading', { name: 'Welcome back, Ken Adams!' })).toBeVisible()
  await expect(page.getByText('Student Dashboard')).toBeVisible()
  await expect(page.getByText('Green Belt • Regular Student')).toBeVisible()
  const records = page.getByRole('region', { name: 'My Attendance History' }).getByRole('listitem')
  await expect(records).toHaveCount(10)
  for (const words of ['Monday, Wednesday', 'Jan 21, 2026', 'Absent']) await expect(records.first()).toContainText(words)
  await expect(records.last()).toContainText('Present')
  await expectAllAccessible(page)
})

import type { Page } from '@playwright/test'
import { announcementsApi } from '@tatami/contract/messages/announcements'
import { attendanceApi } from '@tatami/contract/attendance/attendance'
import { call } from './api.ts'
import { expect, signIn, test } from './harness.ts'

/** Saturday, July 31, 9:30 PM in Texas. In Berlin and Auckland it is Sunday, August 1. */
const SATURDAY_EVENING = '2027-08-01T02:30:00.000Z'
/** Sunday, August 1, 12:30 AM in Berlin. In Texas it is still Saturday, July 31. */
const SUNDAY_IN_BERLIN = '2027-07-31T22:30:00.000Z'

/** Makes the server's rows look as if they were created at the time of the test. */
const mockCreatedAt = (page: Page, path: string) =>
  page.route(path, async (route) => {
    const response = await route.fetch()
    const rows = (await response.json()) as object[]
    await route.fulfill({
      response,
      json: rows.map((row) => ({ ...row, created_at: SATURDAY_EVENING })),
    })
  })

for (const timezoneId of ['Europe/Berlin', 'Pacific/Auckland']) {
  test.describe(`a browser in ${timezoneId}`, () => {
    test.use({ timezoneId })

    test(
      'shows an instructor the day, the month and the times of their dojo in Texas',
      { tag: '@long' },
      async ({ page, dojo, visit }) => {
        const { id } = await dojo.createClass({
          class_name: 'Little Dragons',
          class_days: ['saturday'],
        })
        await dojo.createClass({ class_name: 'Sunday Mat', class_days: ['sunday'] })
        const ken = await dojo.createStudent({
          name: 'Ken Adams',
          date_of_birth: '2010-07-31',
          enrolled_classes: [id],
        })
        await signIn(page, dojo)
        await page.clock.setFixedTime(SATURDAY_EVENING)
        await mockCreatedAt(page, '**/api/classes')
        await mockCreatedAt(page, '**/api/notifications*')
        await call(
          attendanceApi.mark,
          {
            body: {
              student_id: ken.id,
              class_id: id,
              class_date: '2027-07-31T00:00:00.000Z',
              present: true,
            },
          },
          dojo.token,
        )

        const requestPromise = page.waitForRequest('**/api/attendance?class_date=*')
        await visit('/dashboard')
        expect((await requestPromise).url()).toContain('class_date=2027-07-31')
        const today = page.getByRole('region', { name: 'Today' })
        await expect(today).toContainText('Saturday, July 31')
        await expect(today).toContainText('Little Dragons')
        await expect(today).toContainText('Ken Adams')
        await expect(today).not.toContainText('Sunday Mat')
        await expect(page.getByRole('grid', { name: 'July 2027' })).toBeVisible()
        await expect(page.locator('[aria-current=date]')).toHaveAccessibleName(
          'Saturday, July 31, today, 1 birthday',
        )

        await visit('/attendance')
        await page.getByRole('button', { name: 'Mark Attendance' }).click()
        await expect(page.getByRole('dialog').getByLabel('Date')).toHaveValue('2027-07-31')
        await visit('/payment-center')
        await expect(page.getByRole('button', { name: /^Jul/ })).toHaveAttribute(
          'aria-pressed',
          'true',
        )
        await visit('/class-center')
        await expect(page.getByText('Created Jul 31, 2027').first()).toBeVisible()
        await visit('/students')
        await page.getByRole('button', { name: 'Edit Ken Adams' }).click()
        const birthField = page.getByRole('dialog').getByLabel('Date of birth')
        await expect(birthField).toHaveAttribute('max', '2027-07-31')
        await birthField.fill('2027-08-01')
        await page.getByRole('button', { name: 'Save Changes' }).click()
        await expect(page.getByText('Date of birth must not be after today')).toBeVisible()
      },
    )

    test(
      'shows a student the time of news in the time zone of their dojo',
      { tag: '@long' },
      async ({ page, dojo, visit }) => {
        const student = await dojo.createSession(await dojo.createStudent())
        await call(
          announcementsApi.send,
          { body: { title: 'Belt test', message: 'On Saturday.' } },
          dojo.token,
        )
        await signIn(page, student)
        await page.clock.setFixedTime(SATURDAY_EVENING)
        await mockCreatedAt(page, '**/api/announcements*')
        await mockCreatedAt(page, '**/api/notifications*')
        await visit('/dashboard')
        await expect(page.getByRole('region', { name: 'Recent Announcements' })).toContainText(
          'Jul 31, 2027',
        )
        await page.getByRole('button', { name: /^Notifications/ }).click()
        await expect(page.getByRole('dialog').getByText(/Jul 31, 2027, 9:30/)).toBeVisible()
      },
    )
  })
}

test.describe('a browser in Auckland that is open when the clocks change in Texas', () => {
  test.use({ timezoneId: 'Pacific/Auckland' })
  for (const { season, evening, days } of [
    {
      season: 'spring',
      evening: '2027-03-14T05:30:00Z',
      days: ['Saturday, March 13', 'Sunday, March 14', 'Monday, March 15'],
    },
    {
      season: 'autumn',
      evening: '2027-11-07T04:30:00Z',
      days: ['Saturday, November 6', 'Sunday, November 7', 'Monday, November 8'],
    },
  ]) {
    test(
      `moves on to the dojo’s next day in ${season}`,
      { tag: season === 'spring' ? [] : '@long' },
      async ({ page, dojo, visit }) => {
        const [saturday, sunday, monday] = days
        const today = page.getByRole('region', { name: 'Today' })
        await dojo.createClass({ class_name: 'Sunday Mat', class_days: ['sunday'] })
        await signIn(page, dojo)
        await page.clock.install({ time: evening })
        await visit('/dashboard')
        await expect(today).toContainText(saturday!)
        await expect(today).not.toContainText('Sunday Mat')
        // The clock moves from 11:30 PM to after midnight.
        await page.clock.fastForward('31:00')
        await expect(today).toContainText(sunday!)
        await expect(today).toContainText('Sunday Mat')
        // This day has 23 or 25 hours, because the clocks change.
        await page.clock.fastForward(season === 'spring' ? '22:20:00' : '24:20:00')
        await expect(today).toContainText(sunday!)
        await page.clock.fastForward('45:00')
        await expect(today).toContainText(monday!)
        await expect(today).not.toContainText('Sunday Mat')
      },
    )
  }
})

test('shows the day of a dojo in Berlin in a browser in Texas', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  await page.clock.setFixedTime(SUNDAY_IN_BERLIN)
  await page.route('**/api/profile', async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      json: { ...((await response.json()) as object), time_zone: 'Europe/Berlin' },
    })
  })
  await visit('/dashboard')
  await expect(page.getByRole('region', { name: 'Today' })).toContainText('Sunday, August 1')
  await visit('/students')
  await page.getByRole('button', { name: 'Enroll New Student' }).first().click()
  await expect(page.getByRole('dialog').getByLabel('Date of birth')).toHaveAttribute(
    'max',
    '2027-08-01',
  )
})

import { weekdayOf } from '@tatami/contract/lib/calendar-day'
import type { Locator, Page } from '@playwright/test'
import { classDatesApi } from '@tatami/contract/calendar/class-dates'
import { textingApi } from '@tatami/contract/texting/texting'
import { call } from './api.ts'
import { attendanceDialog } from './attendance-dialog.ts'
import { createDailyClass } from './daily-class.ts'
import { dayAhead } from './days.ts'
import type { Dojo } from './dojo.ts'
import { createGuardian } from './families.ts'
import { expect, expectAllAccessible, signIn, test } from './harness.ts'

const cancelClass = (dojo: Dojo, class_id: string, day: string) =>
  call(classDatesApi.cancel, { body: { class_id, day, reason: 'Weather' } }, dojo.token)
const childCard = (page: Page, name: string) => page.getByRole('article', { name })

test('shows a mother canceled classes and substitutes, and lets her excuse a child', async ({
  page,
  dojo,
  visit,
}) => {
  const { id: class_id } = await createDailyClass(dojo)
  const leo = await dojo.createStudent({ name: 'Leo Diaz', enrolled_classes: [class_id] })
  const mia = await dojo.createStudent({ name: 'Mia Diaz' })
  const mother = await createGuardian(dojo, [leo, mia])
  await cancelClass(dojo, class_id, dayAhead(0))
  await call(
    classDatesApi.setSubstitute,
    { body: { class_id, day: dayAhead(1), substitute: 'Ben Ito' } },
    dojo.token,
  )
  await signIn(page, mother)
  await visit('/dashboard')
  await expect(childCard(page, 'Leo Diaz')).toContainText(
    'Little Dragons · Today, 9:00 PM - 11:59 PM',
  )
  await expect(childCard(page, 'Leo Diaz')).toContainText('Canceled: Weather')
  await expect(childCard(page, 'Leo Diaz')).toContainText('Ben Ito teaches')
  await expect(childCard(page, 'Mia Diaz')).not.toContainText('Canceled')
  await expectAllAccessible(page)
  await childCard(page, 'Leo Diaz').getByRole('button', { name: 'Can’t come (Leo)' }).click()
  await expect(childCard(page, 'Leo Diaz')).toContainText('Excused')
  await expect(
    childCard(page, 'Leo Diaz').getByRole('button', { name: 'Can come after all (Leo)' }),
  ).toBeVisible()
  const [, tomorrow] = await call(classDatesApi.list, { query: { until: dayAhead(1) } }, dojo.token)
  expect(tomorrow).toMatchObject({ day: dayAhead(1), expected: 0, excused: 1 })
})

test(
  'shows a moved class on a mother’s home with its day and time',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const { id: class_id } = await dojo.createClass({
      class_days: [weekdayOf(dayAhead(1))],
    })
    const mother = await createGuardian(dojo, [
      await dojo.createStudent({ name: 'Leo Diaz', enrolled_classes: [class_id] }),
    ])
    const body = {
      class_id,
      day: dayAhead(1),
      to_day: dayAhead(2),
      start_time: '6:15 PM',
      end_time: '7:00 PM',
    }
    await call(classDatesApi.move, { body }, dojo.token)
    await signIn(page, mother)
    await visit('/dashboard')
    await expect(childCard(page, 'Leo Diaz')).toContainText(/Moved to .*, 6:15 PM - 7:00 PM/)
    await expect(childCard(page, 'Leo Diaz')).toContainText('6:15 PM - 7:00 PM')
    await expect(childCard(page, 'Leo Diaz')).toContainText('Moved from tomorrow')
    await expectAllAccessible(page)
  },
)

test(
  'gives a place to a student on the waitlist, and the mother gets a text',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    // The server sends due texts once a minute.
    test.setTimeout(120_000)
    const { id: class_id } = await createDailyClass(dojo, 1)
    await dojo.createStudent({ name: 'Ken Adams', enrolled_classes: [class_id] })
    const day = dayAhead(1)
    const waitingStudents = []
    for (const name of ['Mia Diaz', 'Bo Chen']) {
      const student = await dojo.createStudent({ name })
      await call(
        classDatesApi.askForPlace,
        { body: { class_id, day, student_id: student.id } },
        dojo.token,
      )
      waitingStudents.push(student)
    }
    const mother = await createGuardian(dojo, [waitingStudents[0]!])
    await signIn(page, dojo)
    await visit('/schedule')
    const waitlist = page.getByRole('list', { name: 'Waitlist for Little Dragons tomorrow' })
    await expect(waitlist.getByRole('listitem')).toHaveText([
      /^1\. Mia Diaz asked .*[AP]M/,
      /^2\. Bo Chen asked .*[AP]M/,
    ])
    await expectAllAccessible(page)
    await waitlist.getByRole('button', { name: 'Give a place to Mia Diaz' }).click()
    await expect(
      page.getByText('Mia Diaz has a place in Little Dragons tomorrow and was notified.'),
    ).toBeVisible()
    await expect(waitlist.getByRole('listitem')).toHaveText([/^1\. Bo Chen/])

    await visit(`/attendance?class=${class_id}&date=${day}`)
    await expect(
      attendanceDialog(page).getByRole('listitem').filter({ hasText: 'Mia Diaz' }),
    ).toContainText('Guest')
    await signIn(page, mother)
    await visit('/dashboard')
    const places = page.getByRole('region', { name: 'Places for Mia' })
    await expect(places.getByRole('listitem').filter({ hasText: 'Mia has a place' })).toHaveCount(1)
    const readTexts = async () =>
      (await call(textingApi.simulated, { query: {} }, dojo.token)).map(({ text }) => text)
    const hour = Number(
      new Intl.DateTimeFormat('en-US', {
        timeZone: 'America/Chicago',
        hour: 'numeric',
        hourCycle: 'h23',
      }).format(),
    )
    // At night, the text waits until 8 AM.
    if (hour >= 8 && hour < 21)
      await expect
        .poll(readTexts, { timeout: 90_000 })
        .toContainEqual(
          expect.stringMatching(
            /^A place is free: Mia can come to Little Dragons tomorrow, 9:00 PM\./,
          ),
        )
    await places.getByRole('button', { name: /^Can’t come/ }).click()
    await expect(places.getByText('Mia has a place')).toHaveCount(0)
  },
)

const createCalendarFeed = async (page: Page, region: Locator) => {
  await region.getByRole('button', { name: 'Create a calendar address' }).click()
  await expect(region.getByLabel('Calendar address')).toHaveValue(/\/calendar\/.+\.ics$/)
  await expectAllAccessible(page)
  return (await page.request.get(await region.getByLabel('Calendar address').inputValue())).text()
}

test(
  'a mother’s calendar shows her children’s classes, including the canceled one',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const { id: class_id } = await createDailyClass(dojo)
    const leo = await dojo.createStudent({ name: 'Leo Diaz', enrolled_classes: [class_id] })
    await dojo.createStudent({ name: 'Ken Adams', enrolled_classes: [class_id] })
    await cancelClass(dojo, class_id, dayAhead(0))
    await signIn(page, await createGuardian(dojo, [leo]))
    await visit('/notification-settings')
    await expect(page.getByRole('region', { name: 'Calendar' })).toContainText(
      'Your children’s classes and belt tests',
    )
    const ics = await createCalendarFeed(page, page.getByRole('region', { name: 'Calendar' }))
    expect(ics).toContain('SUMMARY:Leo: Little Dragons (canceled)')
    expect(ics).toContain('STATUS:CANCELLED')
    expect(ics).not.toMatch(/Diaz|Ken|Adams/)
  },
)

test(
  'an instructor creates and removes the calendar address of the dojo',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await createDailyClass(dojo)
    await signIn(page, dojo)
    await visit('/school')
    await page.getByRole('button', { name: 'Calendar' }).click()
    const region = page.getByRole('dialog', { name: 'Calendar' })
    await expect(region).toContainText('All classes and belt tests at your dojo')
    expect(await createCalendarFeed(page, region)).toContain('SUMMARY:Little Dragons')
    const address = await region.getByLabel('Calendar address').inputValue()
    await region.getByRole('button', { name: 'Turn off' }).click()
    await expect(region.getByRole('button', { name: 'Create a calendar address' })).toBeVisible()
    expect((await page.request.get(address)).status()).toBe(404)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  },
)

import { weekdayOf } from '@tatami/contract/lib/calendar-day'
import type { Page } from '@playwright/test'
import { attendanceApi } from '@tatami/contract/attendance/attendance'
import { classDatesApi } from '@tatami/contract/calendar/class-dates'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import { textingApi } from '@tatami/contract/texting/texting'
import { sql } from 'drizzle-orm'
import { call } from './api.ts'
import { attendanceDialog } from './attendance-dialog.ts'
import { createDailyClass } from './daily-class.ts'
import { dayAhead } from './days.ts'
import type { Dojo } from './dojo.ts'
import { createGuardian } from './families.ts'
import { expect, expectAllAccessible, signIn, test } from './harness.ts'

const readTexts = async (dojo: Dojo) =>
  (await call(textingApi.simulated, { query: {} }, dojo.token)).map(({ text }) => text)

const today = (page: Page) => page.getByRole('region', { name: 'Today' })
const classLine = (page: Page) =>
  today(page).getByRole('listitem').filter({ hasText: 'Little Dragons' })
const moreButton = (page: Page) =>
  classLine(page).getByRole('button', { name: 'Cancel, move or substitute Little Dragons' })
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Little Dragons' })

test('cancels a class in three taps with a prepared text, and restores it', async ({
  page,
  dojo,
  visit,
}) => {
  const { id } = await createDailyClass(dojo)
  const ken = await dojo.createStudent({ enrolled_classes: [id] })
  await dojo.createStudent({ name: 'Mia Chen', enrolled_classes: [] })
  await signIn(page, dojo)
  await visit('/dashboard')
  await expect(classLine(page)).toContainText('1 expected')
  await moreButton(page).click()
  await expectAllAccessible(page)
  await sheet(page).getByText('Weather', { exact: true }).click()
  await expect(sheet(page).getByLabel('Text')).toHaveValue(
    'Little Dragons today, 9:00 PM is canceled: weather. Reply OK so we know you read this.',
  )
  await expect(sheet(page)).toContainText('1 student gets this')
  await expectAllAccessible(page)
  await sheet(page).getByRole('button', { name: 'Cancel and send' }).click()
  await expect(
    page.getByText('Little Dragons today is canceled. 1 text is on its way.'),
  ).toBeVisible()
  await expect(classLine(page)).toContainText('Canceled: Weather')
  await expect(classLine(page).getByRole('link')).toHaveCount(0)
  await expect
    .poll(() => readTexts(dojo))
    .toEqual([
      'Little Dragons today, 9:00 PM is canceled: weather. Reply OK so we know you read this.',
    ])
  await expectAllAccessible(page)

  await visit(`/attendance?class=${id}&date=${dayAhead(0)}`)
  await expect(attendanceDialog(page).getByText('Canceled: Weather')).toBeVisible()
  await expect(attendanceDialog(page).getByRole('button', { name: 'All present' })).toHaveCount(0)
  await expectAllAccessible(page)
  await signIn(page, await dojo.createSession(ken))
  await visit('/dashboard')
  await expect(page.getByRole('region', { name: 'Next Class' })).toContainText('Canceled: Weather')
  await expectAllAccessible(page)

  await signIn(page, dojo)
  await visit('/dashboard')
  await moreButton(page).click()
  await sheet(page).getByRole('button', { name: 'Restore' }).click()
  await expect(classLine(page)).toContainText('1 expected')
  await page.getByRole('button', { name: 'Text students' }).click()
  const textDialog = page.getByRole('dialog', { name: 'Class back on' })
  await expect(textDialog).toContainText('1 student gets this')
  await expectAllAccessible(page)
  await textDialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('1 text is on its way.')).toBeVisible()
  await expect
    .poll(() => readTexts(dojo))
    .toContain('Little Dragons today, 9:00 PM - 11:59 PM, is back on.')
})

test(
  'cancels a class for another reason, and shows who replied OK',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const { id } = await createDailyClass(dojo)
    await dojo.createStudent({ enrolled_classes: [id] })
    await signIn(page, dojo)
    await visit('/dashboard')
    await moreButton(page).click()
    await sheet(page).getByText('Other…', { exact: true }).click()
    await expect(sheet(page).getByRole('button', { name: 'Cancel and send' })).toBeDisabled()
    await sheet(page).getByRole('textbox', { name: 'Reason' }).fill('A belt test elsewhere')
    await expect(sheet(page).getByLabel('Text')).toHaveValue(/is canceled: A belt test elsewhere\./)
    await sheet(page).getByLabel('Text').fill('No class tonight. Please answer OK.')
    await sheet(page).getByRole('button', { name: 'Cancel and send' }).click()
    await expect(page.getByText('1 text is on its way.')).toBeVisible()
    await expect.poll(() => readTexts(dojo)).toEqual(['No class tonight. Please answer OK.'])
    const [text] = await call(textingApi.simulated, { query: {} }, dojo.token)
    await call(
      conversationsApi.answerSimulated,
      { params: { id: text!.id }, body: { text: 'OK' } },
      dojo.token,
    )
    await visit('/message-center')
    await page.getByRole('button', { name: 'Class Canceled' }).click()
    await expect(page.getByRole('dialog', { name: 'Class Canceled' })).toContainText(
      '1 phone has replied OK.',
    )
  },
)

test('plans a substitute, a moved class, an extra date, and a holiday', async ({
  page,
  dojo,
  visit,
}) => {
  const { id } = await dojo.createClass({ class_days: [weekdayOf(dayAhead(2))] })
  await dojo.createStudent({ enrolled_classes: [id] })
  await signIn(page, dojo)
  await visit('/class-center')
  await page.getByRole('link', { name: 'Dates of Little Dragons' }).click()
  await expect(page).toHaveURL(new RegExp(`schedule\\?class=${id}`))
  const rows = page.getByRole('main').getByRole('listitem')
  const changeButtons = page.getByRole('button', { name: /^Change Little Dragons/ })
  await expect(rows).toHaveCount(3)
  await expect(rows.first()).toContainText('1 expected')
  await expectAllAccessible(page)

  await changeButtons.first().click()
  await sheet(page).getByRole('button', { name: 'Substitute' }).click()
  const substituteDialog = page.getByRole('dialog', { name: 'Substitute' })
  await substituteDialog.getByRole('textbox').fill('Ben Ito')
  await expectAllAccessible(page)
  await substituteDialog.getByRole('button', { name: 'Save' }).click()
  await expect(rows.first()).toContainText('Ben Ito teaches')

  await changeButtons.first().click()
  await sheet(page).getByRole('button', { name: 'Move' }).click()
  const moveDialog = page.getByRole('dialog', { name: 'Move Little Dragons' })
  await moveDialog.getByLabel('Date').fill(dayAhead(3))
  await moveDialog.getByLabel('Start time').fill('17:30')
  await expect(moveDialog.getByLabel('End time')).toHaveValue('18:30')
  await expectAllAccessible(page)
  await moveDialog.getByRole('button', { name: 'Move' }).click()
  await expect(rows.nth(1)).toContainText('5:30 PM - 6:30 PM')
  await expect(rows.nth(1)).toContainText('Moved from')
  await page.getByRole('button', { name: 'Text students' }).click()
  await page
    .getByRole('dialog', { name: 'Class moved' })
    .getByRole('button', { name: 'Send', exact: true })
    .click()
  await expect
    .poll(() => readTexts(dojo))
    .toEqual([
      expect.stringMatching(/^Little Dragons .*4:00 PM - 5:00 PM, moves to .*5:30 PM - 6:30 PM\.$/),
    ])

  await page.getByRole('button', { name: 'Add a date' }).click()
  const addDialog = page.getByRole('dialog', { name: 'Add a date' })
  await addDialog.getByLabel('Date').fill(dayAhead(4))
  await expect(addDialog.getByLabel('Start time')).toHaveValue('16:00')
  await expectAllAccessible(page)
  await addDialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(rows.filter({ hasText: 'Extra class' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows.filter({ hasText: 'Extra class' })).toHaveCount(0)

  await page.getByRole('link', { name: 'Holidays' }).click()
  await expect(page.getByText('No holidays yet')).toBeVisible()
  await page.getByRole('button', { name: 'Add a holiday' }).click()
  const holidaysDialog = page.getByRole('dialog', { name: 'Add a holiday' })
  await holidaysDialog.getByLabel('Name').fill('Winter break')
  await holidaysDialog.getByLabel('First day').fill(dayAhead(8))
  await holidaysDialog.getByLabel('Last day').fill(dayAhead(10))
  await expect(holidaysDialog.getByText('1 class will be canceled')).toBeVisible()
  await expect(holidaysDialog.getByLabel('Text')).toHaveValue(
    /^No classes from .*: Winter break\.$/,
  )
  await expectAllAccessible(page)
  await holidaysDialog.getByRole('button', { name: 'Add and send' }).click()
  await expect(page.getByRole('list', { name: 'Holidays' })).toContainText('Winter break')
  await expectAllAccessible(page)
  await page.getByRole('link', { name: 'This week' }).click()
  await expect(rows.filter({ hasText: 'No class: Winter break' })).toHaveCount(1)
  await expect.poll(() => readTexts(dojo)).toHaveLength(2)
  await page.getByRole('link', { name: 'Holidays' }).click()
  await page.getByRole('button', { name: 'Remove Winter break, 3 days' }).click()
  await expect(page.getByText('No holidays yet')).toBeVisible()
  await page.getByRole('link', { name: 'This week' }).click()
  await expect(rows.filter({ hasText: 'Winter break' })).toHaveCount(0)
})

test('does not text students about a class that is over unless asked to', async ({
  page,
  dojo,
  visit,
}) => {
  const { id } = await createDailyClass(dojo)
  await dojo.createStudent({ enrolled_classes: [id] })
  const times = "class_start_time = '12:00 AM', class_end_time = '12:01 AM'"
  await dojo.inDatabase((tx) => tx.execute(sql.raw(`update classes set ${times}`)))
  await signIn(page, dojo)
  await visit('/dashboard')
  await moreButton(page).click()
  await sheet(page).getByText('Weather', { exact: true }).click()
  const textAnywayBox = sheet(page).getByRole('checkbox', { name: 'Text students anyway' })
  await expect(textAnywayBox).not.toBeChecked()
  await expect(sheet(page).getByRole('button', { name: 'Cancel and send' })).toHaveCount(0)
  await expectAllAccessible(page)
  await textAnywayBox.check()
  await expect(sheet(page).getByLabel('Text', { exact: true })).toBeVisible()
  await expect(sheet(page).getByRole('button', { name: 'Cancel and send' })).toBeEnabled()
  await textAnywayBox.uncheck()
  await sheet(page).getByRole('button', { name: 'Cancel without a text' }).click()
  await expect(page.getByText('Little Dragons today is canceled.')).toBeVisible()
  expect(await readTexts(dojo)).toEqual([])
})

test(
  'restores a class from its roll, with a prepared text, and marks it',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const { id } = await createDailyClass(dojo)
    await dojo.createStudent({ enrolled_classes: [id] })
    await call(
      classDatesApi.cancel,
      { body: { class_id: id, day: dayAhead(0), reason: 'Weather' } },
      dojo.token,
    )
    await signIn(page, dojo)
    await visit(`/attendance?class=${id}&date=${dayAhead(0)}`)
    await attendanceDialog(page).getByRole('button', { name: 'Restore' }).click()
    await expect(attendanceDialog(page)).toContainText('Little Dragons today is back on.')
    await expectAllAccessible(page)
    await attendanceDialog(page).getByRole('button', { name: 'Text students' }).click()
    const textDialog = page.getByRole('dialog', { name: 'Class back on' })
    await expect(textDialog.getByLabel('Text')).toHaveValue(
      'Little Dragons today, 9:00 PM - 11:59 PM, is back on.',
    )
    await expect(textDialog).toContainText('1 student gets this')
    await textDialog.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(textDialog).toHaveCount(0)
    await expect(attendanceDialog(page)).toContainText('1 text is on its way.')
    await expect
      .poll(() => readTexts(dojo))
      .toEqual(['Little Dragons today, 9:00 PM - 11:59 PM, is back on.'])
    await expect(attendanceDialog(page).getByRole('button', { name: 'All present' })).toBeEnabled()
  },
)

test(
  'the roll lists an added class first, and the schedule shows past classes',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const { id } = await dojo.createClass({ class_days: [weekdayOf(dayAhead(-3))] })
    const addedClass = await dojo.createClass({
      class_name: 'Sparring',
      class_days: [weekdayOf(dayAhead(2))],
    })
    await dojo.createClass({ class_name: 'Adults', class_days: [weekdayOf(dayAhead(3))] })
    const student_id = (await dojo.createStudent({ enrolled_classes: [id] })).id
    const times = { start_time: '6:15 PM', end_time: '7:15 PM' }
    await call(
      classDatesApi.add,
      { body: { class_id: addedClass.id, day: dayAhead(0), ...times } },
      dojo.token,
    )
    const mark = (fields: { class_date: string; present: boolean }) =>
      call(attendanceApi.mark, { body: { student_id, class_id: id, ...fields } }, dojo.token)
    // The class takes place on the weekday of all three days.
    await mark({ class_date: dayAhead(-3), present: true })
    await mark({ class_date: dayAhead(-38), present: false })
    await call(
      classDatesApi.cancel,
      { body: { class_id: id, day: dayAhead(-10), reason: 'Weather' } },
      dojo.token,
    )
    await signIn(page, dojo)
    await visit('/attendance')
    await page.getByRole('button', { name: 'Mark Attendance' }).click()
    const chooser = attendanceDialog(page).getByLabel('Class')
    await expect(chooser.locator('optgroup[label=Today] option')).toHaveText(['Sparring'])
    await chooser.selectOption('Sparring')
    await expect(attendanceDialog(page)).toContainText('6:15 PM - 7:15 PM · Extra class')
    await expectAllAccessible(page)

    await visit('/schedule')
    await page.getByText('Past', { exact: true }).click()
    const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Little Dragons' })
    await expect(rows.first()).toContainText('1 came')
    await expect(rows.nth(1)).toContainText('Canceled: Weather')
    await expect(rows, 'the class was created today').toHaveCount(2)
    await expectAllAccessible(page)
    await page.getByRole('button', { name: 'Show more weeks' }).click()
    await page.getByRole('button', { name: 'Show more weeks' }).click()
    await expect(rows.nth(2)).toContainText('0 came')
    await expect(rows).toHaveCount(3)
    await expect(page.getByRole('button', { name: 'Show more weeks' })).toHaveCount(0)
    await rows.first().getByRole('link').click()
    await expect(attendanceDialog(page)).toContainText('1 of 1 marked, 1 present')
  },
)

test('a class with one place has a waitlist, and “Can’t come” gives up the place', async ({
  page,
  dojo,
  visit,
}) => {
  const { id } = await createDailyClass(dojo)
  const ken = await dojo.createStudent({ enrolled_classes: [id] })
  const mia = await dojo.createStudent({ name: 'Mia Diaz' })
  const mother = await createGuardian(dojo, [mia])
  // The form accepts only times in steps of five minutes.
  await dojo.inDatabase((tx) =>
    tx.execute(sql`update classes set class_end_time = '10:00 PM' where id = ${id}`),
  )
  await signIn(page, dojo)
  await visit('/class-center')
  await page.getByRole('button', { name: 'Edit Little Dragons' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Class' })
  await form.getByLabel('Places').fill('none')
  await form.getByRole('button', { name: 'Update Class' }).click()
  await expect(form).toContainText('Places must be a whole number from 1 to 500')
  await form.getByLabel('Places').fill('1')
  await form.getByRole('button', { name: 'Update Class' }).click()
  await expect(page.getByRole('article')).toContainText('1 place')
  // A guest can't come to a class that has started.
  await dojo.inDatabase((tx) =>
    tx.execute(
      sql`update classes set class_start_time = '11:58 PM', class_end_time = '11:59 PM'
        where id = ${id}`,
    ),
  )
  await signIn(page, mother)
  await visit('/dashboard')
  const places = page.getByRole('region', { name: 'Places for Mia' })
  await expect(page.getByRole('region', { name: 'Your children' })).toContainText('Mia')
  await expect(places, 'a full class of other students is not offered').toHaveCount(0)

  await signIn(page, await dojo.createSession(ken))
  await visit('/dashboard')
  const nextClass = page.getByRole('region', { name: 'Next Class' })
  await nextClass.getByRole('button', { name: 'Can’t come' }).first().click()
  await expect(nextClass.getByRole('button', { name: 'Can come after all' })).toBeVisible()

  await signIn(page, mother)
  await visit('/dashboard')
  await places.getByRole('button', { name: 'Come to another class (Mia)' }).click()
  const otherClasses = page.getByRole('dialog', { name: 'Come to another class (Mia)' })
  await expect(otherClasses).toContainText('1 of 1 free')
  await expectAllAccessible(page)
  await otherClasses.getByRole('button', { name: /^Take a place/ }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Little Dragons is not one of Mia’s classes. Take a place?')
  await expectAllAccessible(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await otherClasses.getByRole('button', { name: /^Take a place/ }).click()
  await question.getByRole('button', { name: 'Take a place' }).click()
  await expect(otherClasses).toHaveCount(0)
  const tonight = places.getByRole('listitem').filter({ hasText: 'Today' })
  await expect(tonight).toContainText('Mia has a place')

  await signIn(page, await dojo.createSession(ken))
  await visit('/dashboard')
  await nextClass.getByRole('button', { name: 'Join waitlist' }).first().click()
  await expect(page.getByText('You are number 1 on the waitlist')).toBeVisible()
  await signIn(page, dojo)
  await visit('/dashboard')
  await expect(classLine(page)).toContainText('1 of 1 · 1 waiting')
  await signIn(page, mother)
  await visit('/dashboard')
  await tonight.getByRole('button', { name: /^Can’t come/ }).click()
  await expect(tonight).toHaveCount(0)
  await signIn(page, await dojo.createSession(ken))
  await visit('/dashboard')
  await expect(nextClass.getByRole('button', { name: 'Can’t come' }).first()).toBeVisible()
})

test('adds the classes to another calendar with a private address', async ({
  page,
  dojo,
  visit,
  request,
}) => {
  await createDailyClass(dojo)
  const ken = await dojo.createStudent()
  await signIn(page, await dojo.createSession(ken))
  await visit('/notification-settings')
  const calendar = page.getByRole('region', { name: 'Calendar' })
  await calendar.getByRole('button', { name: 'Create a calendar address' }).click()
  const address = calendar.getByLabel('Calendar address')
  await expect(address).toHaveValue(/^http.*\/calendar\/.+\.ics$/)
  const oldAddress = await address.inputValue()
  await expect(calendar.getByRole('link', { name: 'Open in calendar' })).toHaveAttribute(
    'href',
    oldAddress.replace(/^https?/, 'webcal'),
  )
  await calendar.getByRole('button', { name: 'Copy' }).click()
  expect(await (await request.get(oldAddress)).text()).toContain('BEGIN:VCALENDAR')
  await expectAllAccessible(page)
  await calendar.getByRole('button', { name: 'New address' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Create' }).click()
  await expect(address).not.toHaveValue(oldAddress)
  expect((await request.get(oldAddress)).status()).toBe(404)
  await page.reload()
  await expect(calendar).toContainText('You created your address on')
})

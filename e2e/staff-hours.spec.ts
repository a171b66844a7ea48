import { readFileSync } from 'node:fs'
import { WEEKDAYS } from '@tatami/contract/lib/calendar-day'
import { attendanceApi } from '@tatami/contract/attendance/attendance'
import { hoursApi } from '@tatami/contract/staff/hours'
import { payApi } from '@tatami/contract/staff/pay'
import type { Page } from '@playwright/test'
import { call } from './api.ts'
import { dayAhead } from './days.ts'
import type { Dojo } from './dojo.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'
import { enterPin, setUpKiosk } from './kiosk.ts'

const YESTERDAY = dayAhead(-1)
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

/** Creates Kim, who took the roll of yesterday’s class from 4 to 5 PM. */
async function createCoach(dojo: Dojo) {
  const kids = await dojo.createClass({ class_name: 'Kids Judo', class_days: [...WEEKDAYS] })
  const ken = await dojo.createStudent({ name: 'Ken Adams', enrolled_classes: [kids.id] })
  const kim = await dojo.createStaff({ rights: ['roll'], class_ids: [kids.id] })
  const mark = { student_id: ken.id, class_id: kids.id, present: true }
  await call(attendanceApi.mark, { body: { ...mark, class_date: YESTERDAY } }, kim.token)
  return kim
}

/** Opens yesterday's month, which may be last month. */
const openYesterdaysMonth = (visit: (path: string) => Promise<void>) =>
  visit(`/hours?month=${YESTERDAY.slice(0, 7)}-01`)

test('enters, approves and pays hours, and closes the period @both', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/409/)
  const kim = await createCoach(dojo)
  await signIn(page, kim)
  await visit('/school')
  await page.getByRole('link', { name: 'Hours', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hours' })).toBeVisible()

  // One tap adds the class that Kim taught.
  const suggestions = page.getByRole('list', { name: 'Classes you taught' })
  await expect(suggestions).toContainText('Kids Judo')
  await expectAccessible(page)
  await suggestions.getByRole('button', { name: /^Add Kids Judo/ }).click()
  await expect(suggestions).toBeHidden()

  // Kim enters desk work by hand. Hours for the same time are refused.
  await openYesterdaysMonth(visit)
  const entries = page.getByRole('list', { name: /^Hours in/ })
  await expect(entries).toContainText('Class: Kids Judo')
  await page.getByRole('button', { name: 'Add hours' }).click()
  const addForm = dialog(page, 'Add hours')
  await addForm.getByLabel('Day').fill(YESTERDAY)
  await addForm.getByLabel('Start').fill('16:30')
  await addForm.getByLabel('End').fill('18:00')
  await expectAccessible(page)
  await addForm.getByRole('button', { name: 'Add' }).click()
  await expect(
    addForm.getByText(/^This overlaps hours on .*: Class, 4:00 PM to 5:00 PM/),
  ).toBeVisible()
  await addForm.getByLabel('Start').fill('17:00')
  await addForm.getByRole('button', { name: 'Add' }).click()
  await expect(addForm).toBeHidden()
  await expect(entries).toContainText('1 h')
  await page.getByRole('button', { name: /^Change .*5:00\sPM to 6:00\sPM/ }).click()
  const changeForm = dialog(page, 'Change hours')
  await changeForm.getByLabel('End').fill('18:30')
  await expectAccessible(page)
  await changeForm.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Total: 2 h 30 min')).toBeVisible()
  await expectAccessible(page)

  // The owner approves both entries and sets a rate.
  await signIn(page, dojo)
  await visit('/school')
  await page.getByRole('link', { name: 'Pay', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Hours to approve' })).toContainText('Kim Park')
  await expect(page.getByText('No approved hours in this period.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Approve 2 entries' }).click()
  await expect(page.getByRole('list', { name: 'Hours to approve' })).toBeHidden()
  await expect(page.getByText('2 entries without a rate')).toBeVisible()
  await page.getByRole('button', { name: 'Rates' }).click()
  await expect(dialog(page, 'Rates').getByText('No rates yet.')).toBeVisible()
  await expectAccessible(page)
  await dialog(page, 'Rates').getByRole('button', { name: 'Add a rate' }).click()
  const rateForm = dialog(page, 'Add a rate')
  await rateForm.getByLabel('Person').selectOption('Kim Park')
  await rateForm.getByLabel('Amount').fill('30')
  await rateForm.getByLabel('Unit').selectOption('per class')
  await rateForm.getByLabel('From').fill(dayAhead(-30))
  await expectAccessible(page)
  await rateForm.getByRole('button', { name: 'Add' }).click()
  await expect(dialog(page, 'Rates').getByRole('list')).toContainText('$30.00 per class')
  await dialog(page, 'Rates').getByRole('button', { name: 'Close', exact: true }).last().click()
  const people = page.getByRole('list', { name: 'People' })
  await expect(people).toContainText('$30.00')
  await people.getByText('Kim Park').click()
  await expect(page.getByRole('table', { name: 'Entries of Kim Park' })).toContainText('No rate')
  await expectAccessible(page)

  // The owner closes the period and downloads it.
  await page.getByLabel('Last day').fill(YESTERDAY)
  await page.getByRole('button', { name: 'Close this period' }).click()
  const question = page.getByRole('alertdialog', { name: 'Close this period?' })
  await expect(question).toContainText('2 h 30 min, $30.00')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Close', exact: true }).last().click()
  await expect(page.getByText(/^Closed on/)).toBeVisible()
  await expectAccessible(page)
  const downloadPromise = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const file = readFileSync(await (await downloadPromise).path(), 'utf8')
  expect(file).toContain(`${YESTERDAY},Kim Park,Class,Kids Judo,60,1.00,30.00,class,30.00,no,`)
  expect(file).toContain(`${YESTERDAY},Kim Park,Desk,,90,1.50,,,0.00,no,`)

  // A desk rate added now becomes a correction in the next period.
  const rates = await call(payApi.rates, {}, dojo.token)
  const kimOnStaff = rates.people.find(({ name }) => name === 'Kim Park')
  const deskRate = { task: 'Desk', unit: 'hour', amount: 20, from: dayAhead(-30) } as const
  await call(payApi.setRate, { body: { person_id: kimOnStaff!.id, ...deskRate } }, dojo.token)
  await page.reload()
  await page.getByLabel('Period').selectOption('Not closed yet')
  await expect(people).toContainText('1 correction')
  await expect(people).toContainText('$30.00')
  await expectAccessible(page)
})

test('lets staff start and end work at the kiosk', async ({
  page,
  dojo,
  visit,
  context,
  allowErrors,
}) => {
  allowErrors(/ERR_INTERNET_DISCONNECTED|422/)
  const kim = await dojo.createStaff({ rights: ['roll'] })
  await setUpKiosk(page, dojo)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await signIn(page, kim)
  await visit('/hours')
  await expect(page.getByText(/^No hours in/)).toBeVisible()
  await page.getByRole('button', { name: 'Get a PIN' }).click()
  const pinDialog = dialog(page, 'Work PIN')
  await expectAccessible(page)
  await pinDialog.getByRole('button', { name: 'Get a PIN' }).click()
  const label = await pinDialog.getByLabel(/^Your PIN is/).getAttribute('aria-label')
  const pin = (label ?? '').replaceAll(/\D/g, '')
  await expectAccessible(page)

  await setUpKiosk(page, dojo)
  await page.getByRole('button', { name: 'Staff' }).click()
  await expect(page.getByText('Staff, please enter your PIN')).toBeVisible()
  await expectAccessible(page)
  const wrongPin = pin === '00000' ? '11111' : '00000'
  await enterPin(page, wrongPin)
  await expect(page.getByText('Nobody on the staff has this PIN.')).toBeVisible()
  await enterPin(page, pin)
  await expect(page.getByText('Kim, are you starting work now?')).toBeVisible()
  await expectAccessible(page)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Start work' }).click()
  await expect(page.getByText(/^There’s no network, and nothing was recorded/)).toBeVisible()
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Start work' }).click()
  await expect(page.getByText('Hi Kim, you’re clocked in.')).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Staff' }).click()
  await enterPin(page, pin)
  await expect(page.getByText(/^Kim, you started work at/)).toBeVisible()
  await page.getByRole('button', { name: 'End work' }).click()
  await expect(page.getByText(/^Thank you, Kim. You worked \d+ min/)).toBeVisible()
  await expectAccessible(page)
})

test('asks when a forgotten shift ended', async ({ page, dojo, visit }) => {
  const kim = await dojo.createStaff({ rights: ['roll'] })
  await setUpKiosk(page, dojo)
  await dojo.inDatabase(async (tx) => {
    await tx.execute(`insert into staff_shifts (id, person_id, kiosk_id, started_at)
      select gen_random_uuid(), i.id, k.id, now() - interval '20 hours'
      from instructors i, kiosks k where i.email = '${kim.email}'`)
  })
  await signIn(page, kim)
  await visit('/hours')
  const shifts = page.getByRole('list', { name: 'Shifts without an end' })
  await expect(shifts).toContainText('and never ended.')
  await expectAccessible(page)
  await shifts.getByRole('button', { name: /^Enter the times/ }).click()
  const timesForm = dialog(page, 'When did the work end?')
  await timesForm.getByLabel('Start').fill('16:00')
  await timesForm.getByLabel('End').fill('17:15')
  await expectAccessible(page)
  await timesForm.getByRole('button', { name: 'Save' }).click()
  await expect(shifts).toBeHidden()
  const yesterdaysMonth = await call(hoursApi.own, { query: { day: YESTERDAY } }, kim.token)
  const thisMonth = await call(hoursApi.own, { query: {} }, kim.token)
  const entries = [...yesterdaysMonth.entries, ...thisMonth.entries]
  expect(entries[0]).toMatchObject({
    minutes: 75,
    source: 'kiosk',
  })
})

test('shows hours but no amounts to staff managers who may not see money', async ({
  page,
  dojo,
  visit,
}) => {
  const kim = await createCoach(dojo)
  const form = { day: YESTERDAY, minutes: 30, task: 'Desk' }
  const { entries } = await call(hoursApi.add, { body: form }, kim.token)
  const ids = entries.map(({ id }) => id)
  await call(hoursApi.approve, { body: { hours_ids: ids } }, dojo.token)
  const manager = await dojo.createStaff({ rights: ['staff'] })
  await signIn(page, manager)
  await visit('/pay')
  await expect(page.getByRole('list', { name: 'People' })).toContainText('30 min')
  await expect(page.getByRole('main')).not.toContainText('$')
  for (const name of ['Rates', 'CSV', 'Close this period'])
    await expect(page.getByRole('button', { name })).toHaveCount(0)
  await expectAccessible(page)
})

test('refuses new hours while an owner views the school as somebody else', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/403/)
  await dojo.createStaff({ rights: ['roll'] })
  await signIn(page, dojo)
  await visit('/staff')
  await page.getByRole('button', { name: 'Open Kim Park' }).click()
  await page.getByRole('button', { name: 'See the school as Kim' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /Welcome|Dashboard/ })).toBeVisible()
  await visit('/hours')
  await page.getByRole('button', { name: 'Add hours' }).click()
  const addForm = dialog(page, 'Add hours')
  await addForm.getByLabel('Start').fill('00:00')
  await addForm.getByLabel('End').fill('00:01')
  await addForm.getByRole('button', { name: 'Add' }).click()
  await expect(addForm.getByText(/^You’re looking as somebody else/)).toBeVisible()
})

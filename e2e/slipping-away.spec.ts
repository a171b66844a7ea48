import type { Page } from '@playwright/test'
import { attendanceApi } from '@tatami/contract/attendance/attendance'
import { classesApi } from '@tatami/contract/classes/classes'
import { call } from './api.ts'
import { dayAhead } from './days.ts'
import { expect, expectAccessible, expectAllAccessible, signIn, test } from './harness.ts'
import { createAtRiskStudents } from './slipping-away.ts'

const findRow = (page: Page, name: string) =>
  page
    .getByRole('main')
    .locator('li, tr')
    .filter({ has: page.getByRole('link', { name }) })
const filterChoice = (page: Page, name: string) => page.getByRole('radio', { name })
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })

test('shows who has missed a week or comes less often, from the dashboard', async ({
  page,
  dojo,
  visit,
  layoutPath,
}) => {
  await createAtRiskStudents(dojo, [
    { name: 'Ken Adams', days: 8, belt_level: 'green' },
    { name: 'Mia Brown', days: 20 },
    { name: 'Leo Diaz', days: 25 },
    { name: 'Ana Ito', days: 60 },
    { name: 'Bo Less', classes: [3, 8] },
    { name: 'Tom Trial', is_trial: true, days: 12 },
    { name: 'Eva Stays', classes: [8, 8] },
  ])
  await signIn(page, dojo)
  await visit('/dashboard')
  const card = page.getByRole('region', { name: 'Today' }).getByRole('link', { name: /at risk/ })
  await expect(card).toHaveText('6 students at riskKen Adams, Mia Brown, Leo Diaz and 3 others')
  await visit('/numbers')
  const chart = (name: string) => page.getByRole('region', { name, exact: true })
  // Stayed 0, joined 6, left 0.
  await expect(
    chart('Joined, Left and Stayed by Belt').getByRole('row', { name: 'White' }),
  ).toHaveText('White060')
  await expect(chart('Time to the Next Belt')).toContainText('No promotions yet')
  await chart('Students Who Stayed').getByText('Show as a table').click()
  // Joined 0, left 0, stayed 7, which is 100%.
  await expect(chart('Students Who Stayed').getByRole('row').last()).toContainText('007100%')
  await visit('/dashboard')
  await card.click()
  await expect(page).toHaveURL(`${layoutPath}/slipping-away`)
  await expect(filterChoice(page, 'All 6')).toBeChecked()
  await expect(findRow(page, 'Eva Stays')).toHaveCount(0)
  for (const [name, text] of [
    ['Ken Adams', /Green belt.*8 days/],
    ['Bo Less', /1 day.*8 → 3 classes \(−63%\)/],
  ] as const)
    await expect(findRow(page, name)).toContainText(text)
  await expectAllAccessible(page)
  for (const [label, name] of [
    ['7–14 days 1', 'Ken Adams'],
    ['15–21 days 1', 'Mia Brown'],
    ['22–30 days 1', 'Leo Diaz'],
    ['Over 30 days 1', 'Ana Ito'],
    ['Coming less 1', 'Bo Less'],
    ['Trial 1', 'Tom Trial'],
  ] as const) {
    await filterChoice(page, label).check()
    await expect(page.getByRole('main').getByRole('button', { name: /^Text / })).toHaveText(
      `Text ${name}`,
    )
  }
  await findRow(page, 'Tom Trial').getByRole('link').click()
  await page.goBack()
  await expect(filterChoice(page, 'Trial 1')).toBeChecked()
})

test('texts one student by name, and counts who comes back', async ({ page, dojo, visit }) => {
  const { 'Ken Adams': ken } = await createAtRiskStudents(dojo, [
    { name: 'Ken Adams', days: 8 },
    { name: 'Mia Brown', days: 20 },
  ])
  await signIn(page, dojo)
  await visit('/slipping-away')
  await findRow(page, 'Ken Adams').getByRole('button', { name: 'Text Ken Adams' }).click()
  const dialog = dialogOf(page, 'Text Ken Adams')
  await expect(dialog).toContainText(
    'Reads: Hi Ken, we have missed you at Tanaka Dojo. Will we see you in class this week?',
  )
  await expect(dialog).toContainText('Goes out as 1 text')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('The text is on its way')).toBeVisible()
  await expect(
    page.getByText('Of 1 student texted, 0 came back within 14 days. 1 still has time.'),
  ).toBeVisible()
  const today = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/Chicago',
    dateStyle: 'medium',
  }).format(new Date())
  await expect(findRow(page, 'Ken Adams')).toContainText(today)
  const [teens] = await call(classesApi.list, {}, dojo.token)
  await call(
    attendanceApi.mark,
    { body: { student_id: ken!, class_id: teens!.id, class_date: dayAhead(0), present: true } },
    dojo.token,
  )
  await page.reload()
  await expect(page.getByText('Of 1 student texted, 1 came back within 14 days.')).toBeVisible()
  await expect(findRow(page, 'Mia Brown')).toHaveCount(1)
  await expect(findRow(page, 'Ken Adams')).toHaveCount(0)
})

test(
  'texts several students, and lists who got no text',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await createAtRiskStudents(dojo, [
      { name: 'Ken Adams', days: 8 },
      { name: 'Mia Brown', days: 9 },
      { name: 'Pia Lund', days: 10, phone_number: '123' },
      { name: 'Ana Ito', days: 60 },
    ])
    await signIn(page, dojo)
    await visit('/slipping-away')
    await filterChoice(page, '7–14 days 3').check()
    await page.getByLabel('Select all').check()
    await page.getByLabel('Select Mia Brown').uncheck()
    await expect(page.getByText('2 of 3 selected')).toBeVisible()
    await page.getByRole('button', { name: 'Text 2 students' }).click()
    const dialog = dialogOf(page, 'Text 2 students')
    await expect(dialog).toContainText('Ken Adams, Pia Lund')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('The text is on its way. Not texted: Pia Lund.')).toBeVisible()
    await expect(page.getByText('Of 1 student texted')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Text 2 students' })).toHaveCount(0)
  },
)

test(
  'shows that nobody is at risk, and reloads a list that could not be loaded',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    await page.route('**/api/slipping-away', (route) => route.abort())
    await signIn(page, dojo)
    await visit('/slipping-away')
    await expect(page.getByText('The list could not be loaded.')).toBeVisible()
    await expectAllAccessible(page)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('No students are at risk.')).toBeVisible()
  },
)

import type { Locator, Page } from '@playwright/test'
import { ledgerApi } from '@tatami/contract/ledger/ledger'
import { paymentsApi } from '@tatami/contract/dues/payments'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { call } from './api.ts'
import { type Dojo, uniqueEmail } from './dojo.ts'
import { createGuardian } from './families.ts'
import {
  collectChanges,
  expect,
  expectAccessible,
  expectAllAccessible,
  signIn,
  test,
} from './harness.ts'
import { openMore, pressAction } from './filters.ts'
import { createPayers, expectListed } from './payers.ts'
import { THIS_MONTH, THIS_MONTH_NAME } from './this-month.ts'

const NAMES = [...'ABCDEFGHIJKL'].map((letter) => `Aaa ${letter}`)
const figures = (page: Page) => page.getByRole('list', { name: 'Statistics' })
const studentCheckbox = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const selectionBar = (page: Page) => page.getByRole('region', { name: 'Selected students' })
const notice = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
const countPaid = async (dojo: Dojo) =>
  (await call(paymentsApi.list, { query: THIS_MONTH }, dojo.token)).filter(
    ({ payment_status }) => payment_status === 'paid',
  ).length

/** Creates two students with the same payer, and fees of $100 and $80. */
async function createFamily(dojo: Dojo): Promise<Student[]> {
  const mia = await dojo.createStudent({ name: 'Mia Diaz', monthly_payment_amount: 100 })
  const leo = await dojo.createStudent({
    name: 'Leo Diaz',
    email: uniqueEmail('leo'),
    monthly_payment_amount: 80,
  })
  await createGuardian(dojo, [mia, leo], { pays: true })
  return [mia, leo]
}

/** Lists texts that overlap each other, or reach beyond the edge of the window. */
const listOverlaps = (region: Locator) =>
  region.evaluate((root) => {
    const boxes = [...root.querySelectorAll<HTMLElement>('a, button, td > span, th, li span')]
      .filter(
        (button) =>
          button.checkVisibility() &&
          button.children.length === 0 &&
          button.textContent.trim() !== '',
      )
      .map((element) => ({ text: element.textContent, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 2)
    const overlaps = boxes
      .filter(({ box }) => box.right > window.innerWidth)
      .map(({ text }) => `${text} reaches beyond the window`)
    for (const [index, { text, box }] of boxes.entries())
      for (const otherBox of boxes.slice(index + 1)) {
        const width =
          Math.min(box.right, otherBox.box.right) - Math.max(box.left, otherBox.box.left)
        const height =
          Math.min(box.bottom, otherBox.box.bottom) - Math.max(box.top, otherBox.box.top)
        if (width > 1 && height > 1) overlaps.push(`${text} overlaps ${otherBox.text}`)
      }
    return overlaps
  })

test('marks ten students paid with one call, and undoes all of them', async ({
  page,
  dojo,
  visit,
}) => {
  for (const name of NAMES)
    await dojo.createStudent({ name, email: uniqueEmail('a'), monthly_payment_amount: 85 })
  await signIn(page, dojo)
  await visit('/payment-center?filter=yet_to_pay')
  for (const name of NAMES.slice(0, 10)) await studentCheckbox(page, name).check()
  await expect(selectionBar(page)).toContainText('10 students selected')
  await expect(selectionBar(page)).toContainText('$850.00')
  const { width: windowWidth, height: windowHeight } = page.viewportSize()!
  // A window in which no bar covers a part of a row, which axe would call too small.
  await page.setViewportSize({ width: windowWidth, height: 2400 })
  await expectAccessible(page)
  await page.setViewportSize({ width: windowWidth, height: windowHeight })
  const changes = collectChanges(page)
  const markButton = selectionBar(page).getByRole('button', { name: 'Mark 10 paid' })
  const { x, y, width, height } = (await markButton.boundingBox())!
  // The second tap of a double tap must not mark a student behind the bar.
  await page.mouse.click(x + width / 2, y + height / 2)
  await page.mouse.click(x + width / 2, y + height / 2)
  await expect(notice(page, '10 marked paid, $850.00')).toBeVisible()
  await expect(selectionBar(page)).toHaveCount(0)
  await expect(figures(page)).toContainText('10 Paid This Month')
  expect(changes).toEqual(['POST /api/payment-records/marks'])
  expect(await countPaid(dojo)).toBe(10)
  // Rows stay in place until the filter changes.
  await expectListed(page, NAMES)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(figures(page).getByRole('button', { name: /^0 Paid This Month/ })).toBeVisible()
  expect(await countPaid(dojo)).toBe(0)
  await expectListed(page, NAMES)
})

test(
  'selects all visible students by keyboard, and still counts hidden ones',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await createPayers(dojo)
    await signIn(page, dojo)
    await visit('/payment-center')
    await studentCheckbox(page, 'Ken Adams').press('Space')
    await expect(selectionBar(page)).toContainText('1 student selected')
    await page.getByPlaceholder('Find a student').fill('mia')
    await expectListed(page, ['Mia Chen'])
    await expect(selectionBar(page)).toContainText('1 student selected, 1 not shown')
    await selectionBar(page).getByRole('button', { name: 'All 1' }).click()
    await expect(selectionBar(page)).toContainText('$155.75')
    await selectionBar(page).getByRole('button', { name: 'Mark 2 paid' }).press('Enter')
    await expect(notice(page, '2 marked paid, $155.75')).toBeVisible()
    await expect(selectionBar(page)).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'Students' })).toBeFocused()
    await page.getByPlaceholder('Find a student').fill('')
    await studentCheckbox(page, 'Ken Adams').check()
    await selectionBar(page).getByRole('button', { name: 'Mark 1 unpaid' }).click()
    await expect(notice(page, 'Ken Adams marked unpaid, $85.50 undone')).toBeVisible()
    await studentCheckbox(page, 'Mia Chen').check()
    await selectionBar(page).getByRole('button', { name: 'Clear the selection' }).click()
    await expect(studentCheckbox(page, 'Mia Chen')).not.toBeChecked()
  },
)

test(
  'reverts all marks if the server refuses them',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/Failed to load resource/)
    await createPayers(dojo)
    await signIn(page, dojo)
    await visit('/payment-center')
    await page.route('**/api/payment-records/marks', (route) =>
      route.fulfill({ status: 409, json: { detail: 'Not now' } }),
    )
    for (const name of ['Ken Adams', 'Mia Chen']) await studentCheckbox(page, name).check()
    const message = page.waitForEvent('dialog').then(async (dialog) => {
      const text = dialog.message()
      await dialog.accept()
      return text
    })
    await selectionBar(page).getByRole('button', { name: 'Mark 2 paid' }).click()
    expect(await message).toBe('Failed to update payment status. Please try again.')
    await expect(page.getByRole('button', { name: 'Mark Paid for Ken Adams' })).toBeEnabled()
    await expect(figures(page)).toContainText('0 Paid This Month')
  },
)

test('shows a family above its students, and marks all paid with one press', async ({
  page,
  dojo,
  visit,
}) => {
  await createPayers(dojo)
  await createFamily(dojo)
  await signIn(page, dojo)
  await visit('/payment-center')
  await expectListed(page, ['Ken Adams', 'Leo Diaz', 'Mia Diaz', 'Mia Chen', 'Omar Haddad'])
  const family = page
    .getByRole('row')
    .or(page.getByRole('listitem'))
    .filter({ hasText: 'Rosa Diaz' })
  await expect(family).toContainText(`Owes $180.00 since ${THIS_MONTH_NAME.split(' ')[0]}`)
  const changes = collectChanges(page)
  const markAllButton = page.getByRole('button', { name: 'Mark all paid for Rosa Diaz' })
  await expect(markAllButton).toContainText('$180.00')
  await markAllButton.dblclick()
  await expect(notice(page, '2 in Rosa Diaz’s family marked paid, $180.00')).toBeVisible()
  await expect(markAllButton).toBeDisabled()
  expect(changes).toEqual(['POST /api/payment-records/marks'])
  await expect(figures(page)).toContainText('2 Paid This Month')
  await page.getByRole('button', { name: 'Mark Unpaid for Leo Diaz' }).click()
  await expect(notice(page, 'Leo Diaz marked unpaid, 1 payment undone, $80.00')).toBeVisible()
  await expect(markAllButton).toContainText('$80.00')
  await expectAllAccessible(page)
  await openMore(page)
  await page.getByRole('radio', { name: 'By class' }).click()
  await expect(markAllButton).toHaveCount(0)
})

test('shows the amount owed for all months, since when, and the credit', async ({
  page,
  dojo,
  visit,
}) => {
  await createPayers(dojo)
  const students = await call(studentsApi.list, {}, dojo.token)
  const idOf = (name: string) => students.find((student) => student.name === name)!.id
  const charged_on = `${THIS_MONTH.year - 1}-09-10`
  await call(
    ledgerApi.charge,
    { body: { student_ids: [idOf('Ken Adams')], kind: 'equipment', amount: 20, charged_on } },
    dojo.token,
  )
  await call(ledgerApi.pay, { body: { student_id: idOf('Mia Chen'), amount: 85.25 } }, dojo.token)
  await signIn(page, dojo)
  await visit('/payment-center')
  const studentList = page.getByRole('region', { name: 'Students' })
  await expect(studentList).toContainText(`Owes $105.50 since September ${THIS_MONTH.year - 1}`)
  await expect(studentList).toContainText('Credit $15.00')
  await expect(page.getByRole('button', { name: 'Mark Unpaid for Mia Chen' })).toBeEnabled()
})

test(
  'a reset shows the number and the total, and can be undone',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await createPayers(dojo)
    await signIn(page, dojo)
    await visit('/payment-center')
    for (const name of ['Ken Adams', 'Mia Chen']) await studentCheckbox(page, name).check()
    await selectionBar(page).getByRole('button', { name: 'Mark 2 paid' }).click()
    await expect(figures(page)).toContainText('2 Paid This Month')
    await pressAction(page, 'Monthly Payment Reset')
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('2 payments, $155.75')
    page.once('dialog', (alertBox) => void alertBox.accept())
    await dialog.getByRole('button', { name: 'Reset', exact: true }).click()
    await expect(notice(page, `${THIS_MONTH_NAME} reset, 2 students, $155.75 undone`)).toBeVisible()
    await expect(figures(page)).toContainText('0 Paid This Month')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(figures(page)).toContainText('2 Paid This Month')
  },
)

test('tiles and rows agree while the records cannot be loaded', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/Failed to load resource/)
  await createPayers(dojo)
  const [ken] = await call(studentsApi.list, {}, dojo.token)
  const { month: payment_month, year: payment_year } = THIS_MONTH
  await call(
    paymentsApi.mark,
    { body: { student_id: ken!.id, payment_month, payment_year, payment_status: 'paid' } },
    dojo.token,
  )
  await page.route('**/api/payment-records?*', (route) =>
    route.fulfill({ status: 403, json: { detail: 'Not now' } }),
  )
  await signIn(page, dojo)
  await visit('/payment-center')
  const retryNotice = page.getByRole('status').filter({ hasText: 'Payments could not be loaded.' })
  await expect(retryNotice).toBeVisible()
  await expect(page.getByText('not confirmed')).toHaveCount(3)
  for (const text of ['0 Paid This Month', '3 Yet To Pay'])
    await expect(figures(page)).toContainText(text)
  await expect(studentCheckbox(page, 'Ken Adams')).toBeDisabled()
  await page.unroute('**/api/payment-records?*')
  await retryNotice.getByRole('button', { name: 'Try again' }).click()
  for (const text of ['1 Paid This Month', '1 Yet To Pay'])
    await expect(figures(page)).toContainText(text)
  await expect(page.getByRole('button', { name: 'Mark Unpaid for Ken Adams' })).toBeEnabled()
})

test('fits at 320, 820 and 1000 pixels', async ({ page, dojo, visit }) => {
  await createPayers(dojo)
  await createFamily(dojo)
  await signIn(page, dojo)
  await visit('/payment-center')
  await studentCheckbox(page, 'Ken Adams').check()
  for (const width of [320, 820, 1000]) {
    await page.setViewportSize({ width, height: 1180 })
    await expect(page.getByText('Mia Chen', { exact: true })).toBeVisible()
    const pageWidth = () => page.evaluate(() => document.documentElement.scrollWidth)
    await expect.poll(pageWidth, `${width} pixels`).toBeLessThanOrEqual(width)
    expect(
      await listOverlaps(page.getByRole('region', { name: 'Students', exact: true })),
      `${width} pixels`,
    ).toEqual([])
  }
})

test(
  'shows the first three of 300 names on a phone, and scrolls to the rest',
  { tag: '@long' },
  async ({ page, dojo, visit, isDesktop }) => {
    await createPayers(dojo)
    await signIn(page, dojo)
    const [ken] = await call(studentsApi.list, {}, dojo.token)
    const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
    const manyStudents = Array.from({ length: 300 }, (_, index) => ({
      ...ken!,
      id: idOf(index),
      name: `Aaa ${String(index).padStart(3, '0')}`,
    }))
    await page.route('**/api/students', (route) => route.fulfill({ json: manyStudents }))
    await visit('/payment-center')
    await expect(page.getByRole('button', { name: /^Mark Paid for / })).toHaveCount(300)
    for (const name of isDesktop ? ['Aaa 000'] : ['Aaa 000', 'Aaa 001', 'Aaa 002'])
      expect((await page.getByText(name, { exact: true }).boundingBox())!.y, name).toBeLessThan(820)
    await expect(page.getByPlaceholder('Find a student')).toBeInViewport()
    await page.getByText('Aaa 299', { exact: true }).scrollIntoViewIfNeeded()
    await expect(page.getByText('Aaa 299', { exact: true })).toBeInViewport()
  },
)

import type { OnlineStudent } from '@tatami/contract/online-payment/online-students'
import type { Page } from '@playwright/test'
import { chooseFilter, expectFilterChoices } from './filters.ts'
import type { Dojo } from './dojo.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const NO_NEWS = {
  autopay: null,
  on_its_way: 0,
  is_turned_off: false,
  problem: null,
  link_sent_on: null,
}

/** Four students, of whom three are paid for online. The tests' server has no Stripe. */
async function createOnlineStudents(page: Page, dojo: Dojo) {
  const createStudent = (name: string) => dojo.createStudent({ name, monthly_payment_amount: 80 })
  const leo = await createStudent('Leo Diaz')
  const mia = await createStudent('Mia Chen')
  const ada = await createStudent('Ada Okafor')
  await createStudent('Ken Adams')
  const autopay = { next_on: '2034-05-05' }
  const onlineStudents: OnlineStudent[] = [
    { ...NO_NEWS, student_id: leo.id, autopay },
    { ...NO_NEWS, student_id: mia.id, on_its_way: 80 },
    {
      ...NO_NEWS,
      student_id: ada.id,
      autopay,
      problem: {
        kind: 'card',
        reason: 'Not enough money in the account',
        next_step: 'retry',
        retry_on: '2034-05-07',
      },
      link_sent_on: '2034-05-05',
    },
  ]
  await page.route('**/api/online-payment/students', (route) =>
    route.fulfill({ json: onlineStudents }),
  )
}

const studentRow = (page: Page, name: string, isDesktop: boolean) =>
  page.getByRole(isDesktop ? 'row' : 'listitem').filter({ hasText: name })

test('the Payment Center says who pays by autopay, what is on its way, and what was declined', async ({
  page,
  dojo,
  visit,
  isDesktop,
}) => {
  await createOnlineStudents(page, dojo)
  await signIn(page, dojo)
  await visit('/payment-center')
  await expect(studentRow(page, 'Leo Diaz', isDesktop)).toContainText('Autopay May 5')
  await expect(studentRow(page, 'Mia Chen', isDesktop)).toContainText('On its way: $80.00')
  const adasRow = studentRow(page, 'Ada Okafor', isDesktop)
  await expect(adasRow).toContainText('Declined: card')
  await expect(adasRow).toContainText(
    'Not enough money in the account. Tries again May 7 · Pay link sent May 5',
  )
  // Nobody can be marked as paid whose money a bank is bringing.
  await expect(page.getByRole('button', { name: 'Mark Paid for Mia Chen' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Mark Paid for Leo Diaz' })).toBeEnabled()
  await expectAccessible(page)
})

test('the Payment Center lists students by how they pay online', async ({
  page,
  dojo,
  visit,
  isDesktop,
}) => {
  await createOnlineStudents(page, dojo)
  await signIn(page, dojo)
  await visit('/payment-center')
  const expectListed = async (names: string[]) => {
    for (const name of ['Leo Diaz', 'Mia Chen', 'Ada Okafor', 'Ken Adams'])
      await expect(studentRow(page, name, isDesktop)).toHaveCount(names.includes(name) ? 1 : 0)
  }
  await chooseFilter(page, 'Payment status', 'Autopay')
  await expectListed(['Leo Diaz', 'Ada Okafor'])
  await chooseFilter(page, 'Payment status', 'On its way')
  await expectListed(['Mia Chen'])
  await chooseFilter(page, 'Payment status', 'Declined')
  await expectListed(['Ada Okafor'])
})

test('Past due says why a payment was declined, and that a pay link was sent', async ({
  page,
  dojo,
  visit,
}) => {
  await createOnlineStudents(page, dojo)
  await signIn(page, dojo)
  await visit('/owing')
  const rows = page.getByRole('region', { name: 'Families' }).getByRole('listitem')
  await expect(rows.filter({ hasText: 'Ada Okafor' })).toContainText(
    'Not enough money in the account. Tries again May 7 · Pay link sent May 5',
  )
  await expect(rows.filter({ hasText: 'Mia Chen' })).toContainText('On its way: $80.00')
  await expect(rows.filter({ hasText: 'Leo Diaz' })).toContainText('Autopay May 5')
  await expect(rows.filter({ hasText: 'Ken Adams' })).not.toContainText(/Autopay|Pay link/)
  await expectAccessible(page)
})

test('taking a payment names what is on its way, and leaves it out of the amount', async ({
  page,
  dojo,
  visit,
}) => {
  await createOnlineStudents(page, dojo)
  await signIn(page, dojo)
  await visit('/owing')
  const rows = page.getByRole('region', { name: 'Families' }).getByRole('listitem')
  await expect(rows.filter({ hasText: 'Mia Chen' })).toContainText('On its way: $80.00')
  await rows
    .filter({ hasText: 'Mia Chen' })
    .getByRole('button', { name: /^Take payment/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Payment from Mia Chen' })
  await expect(dialog).toContainText('$80.00 is on its way from the bank.')
  await expect(dialog.getByRole('textbox', { name: 'Amount' })).toHaveValue('')
  await expect(dialog.getByRole('checkbox', { name: 'Take it anyway' })).not.toBeChecked()
  await expectAccessible(page)
})

test('a student’s account and its dialog name what is on its way', async ({
  page,
  dojo,
  visit,
}) => {
  const { id } = await dojo.createStudent({ name: 'Mia Chen', monthly_payment_amount: 80 })
  await page.route(`**/api/students/${id}/account`, async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ json: { ...(await reply.json()), on_its_way: 80 } })
  })
  await signIn(page, dojo)
  await visit(`/students/${id}`)
  await page.getByRole('button', { name: 'Take payment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mia Chen' })
  await expect(dialog).toContainText('$80.00 is on its way from the bank.')
  await expect(dialog.getByRole('textbox', { name: 'Amount' })).toHaveValue('')
  await expectAccessible(page)
})

test('marking a month unpaid says first that money from online is not refunded', async ({
  page,
  dojo,
  visit,
}) => {
  const leo = await dojo.createStudent({ name: 'Leo Diaz', monthly_payment_amount: 80 })
  await page.route('**/api/online-payment/paid-months*', (route) =>
    route.fulfill({ json: [{ student_id: leo.id, amount: 80 }] }),
  )
  await signIn(page, dojo)
  await visit('/payment-center')
  await page.getByRole('button', { name: 'Mark Paid for Leo Diaz' }).click()
  await page.getByRole('button', { name: 'Mark Unpaid for Leo Diaz' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Paid online' })
  await expect(dialog).toContainText('Leo Diaz has paid $80.00 of this month online.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Mark unpaid' }).click()
  await expect(page.getByRole('button', { name: 'Mark Paid for Leo Diaz' })).toBeVisible()
})

test('a school without online payment sees nothing of it', async ({ page, dojo, visit }) => {
  await dojo.createStudent({ name: 'Ken Adams', monthly_payment_amount: 80 })
  await signIn(page, dojo)
  await visit('/payment-center')
  await expect(page.getByRole('button', { name: 'Mark Paid for Ken Adams' })).toBeEnabled()
  await expectFilterChoices(page, 'Payment status', [
    'All Students',
    'Paid Only',
    'Yet To Pay',
    'Unpaid Only',
  ])
})

test('the front desk sees what is on its way, without the sum', async ({
  page,
  dojo,
  visit,
  isDesktop,
}) => {
  const mia = await dojo.createStudent({ name: 'Mia Chen', monthly_payment_amount: 80 })
  await dojo.createStudent({ name: 'Ken Adams', monthly_payment_amount: 80 })
  await page.route('**/api/online-payment/on-their-way', (route) =>
    route.fulfill({ json: [{ student_id: mia.id }] }),
  )
  const desk = await dojo.createStaff({ rights: ['students.read', 'money.take'] })
  await signIn(page, desk)
  await visit('/payment-center')
  const row = studentRow(page, 'Mia Chen', isDesktop)
  await expect(row).toContainText('On its way')
  await expect(row).not.toContainText('On its way:')
  await expect(page.getByRole('button', { name: 'Mark Paid for Mia Chen' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Mark Paid for Ken Adams' })).toBeEnabled()
  await expectAccessible(page)
})

import { staffApi } from '@tatami/contract/staff/staff'
import { rightsOfPreset } from '@tatami/contract/rights'
import type { Page } from '@playwright/test'
import { call } from './api.ts'
import { uniqueEmail } from './dojo.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const PASSWORD = 'Sunrise-Kite-7741'
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

test('invites an assistant, limits them to a class, and ends their work', async ({
  page,
  dojo,
  visit,
  browser,
  layoutPath,
  allowErrors,
}) => {
  const { id: kidsId } = await dojo.createClass({ class_name: 'Kids Judo' })
  const { id: adultsId } = await dojo.createClass({ class_name: 'Adults Judo' })
  await dojo.createStudent({ name: 'Leo Adams', enrolled_classes: [kidsId] })
  await dojo.createStudent({ name: 'Mia Lund', enrolled_classes: [adultsId] })
  await signIn(page, dojo)
  await visit('/school')
  await page.getByRole('link', { name: 'Staff', exact: true }).click()
  await expect(page).toHaveURL(`${layoutPath}/staff`)
  await expectAccessible(page)

  // The owner invites Kim by link.
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const inviteDialog = dialog(page, 'Invite to the staff')
  await inviteDialog.getByRole('textbox', { name: 'Name' }).fill('Kim Park')
  await expect(inviteDialog.getByRole('radio', { name: 'Assistant' })).toBeChecked()
  await expectAccessible(page)
  await inviteDialog.getByRole('button', { name: 'Invite', exact: true }).click()
  const sentDialog = dialog(page, 'Invite Kim Park')
  const link = await sentDialog.getByLabel('Invitation link').inputValue()
  await expectAccessible(page)
  await sentDialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('list', { name: 'Invited' })).toContainText('Kim Park')

  // Kim opens the link, chooses a password, and sees the school without money and texts.
  const kimContext = await browser.newContext({ baseURL: process.env.E2E_URL })
  const kimPage = await kimContext.newPage()
  await kimPage.goto(link)
  await expect(kimPage.getByText('Hello Kim Park.')).toBeVisible()
  await expectAccessible(kimPage)
  await kimPage.getByLabel('Your email').fill(uniqueEmail('kim'))
  await kimPage.getByLabel('Choose a password').fill(PASSWORD)
  await kimPage.getByRole('button', { name: 'Join the staff' }).click()
  await expect(kimPage.getByRole('heading', { name: 'Welcome back, Kim Park!' })).toBeVisible()
  const navigation = kimPage.getByRole('navigation', { name: 'Main' })
  await expect(navigation.getByRole('link', { name: /Student/ })).toBeVisible()
  await expect(navigation.getByRole('link', { name: /Payment/ })).toHaveCount(0)
  await expect(navigation.getByRole('link', { name: /Message/ })).toHaveCount(0)
  await kimPage.goto('/payment-center')
  await expect(kimPage.getByText('Your login may not take payments. Ask the owner.')).toBeVisible()
  await expectAccessible(kimPage)

  // The owner limits Kim to the kids.
  await page.reload()
  await page.getByRole('button', { name: 'Open Kim Park' }).click()
  const kimDialog = dialog(page, 'Kim Park')
  await kimDialog.getByRole('switch', { name: 'Own classes only' }).press('Space')
  await kimDialog.getByRole('checkbox', { name: 'Kids Judo' }).check()
  await expectAccessible(page)
  await kimDialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('list', { name: 'People' })).toContainText('Assistant · Kids Judo')
  await kimPage.goto('/students')
  await expect(kimPage.getByText('Leo Adams')).toBeVisible()
  await expect(kimPage.getByText('Mia Lund')).toHaveCount(0)

  // To make somebody an owner, the owner must enter their password.
  await page.getByRole('button', { name: 'Open Kim Park' }).click()
  await kimDialog.getByRole('button', { name: 'Make Kim an owner' }).click()
  const ownerDialog = dialog(page, 'Make Kim Park an owner')
  await expectAccessible(page)
  await ownerDialog.getByLabel('Your password').fill('wrong')
  await ownerDialog.getByRole('button', { name: 'Make an owner' }).click()
  await expect(ownerDialog.getByText(/password/i).last()).toBeVisible()
  await ownerDialog.getByRole('button', { name: 'Cancel' }).click()
  await kimDialog.getByRole('button', { name: 'Cancel' }).click()

  // Ending the work also ends the session.
  allowErrors(/401|403|422/)
  await visit('/staff')
  await page.getByRole('button', { name: 'Open Kim Park' }).click()
  await kimDialog.getByRole('button', { name: 'End Kim’s work' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'End now' }).click()
  await expect(page.getByRole('list', { name: 'Former staff' })).toContainText('Kim Park')
  await kimPage.goto('/students')
  await expect(kimPage).toHaveURL(/\/login/)
  await kimContext.close()
})

test('compares the rights of each preset', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  await visit('/staff')
  await page.getByRole('button', { name: 'Compare permissions' }).click()
  const table = dialog(page, 'Permissions').getByRole('table')
  const row = table.getByRole('row', { name: /^Refund/ })
  await expect(row.getByRole('cell')).toHaveText(['yes', '–no', '–no', '–no', '–no', '–no'])
  await expectAccessible(page)
})

test('turns on the rights that a right needs, and keeps custom rights', async ({
  page,
  dojo,
  visit,
}) => {
  await signIn(page, dojo)
  await visit('/staff')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const inviteDialog = dialog(page, 'Invite to the staff')
  await inviteDialog.getByRole('textbox', { name: 'Name' }).fill('Jo Diaz')
  await inviteDialog.getByText(/^Choose each permission/).click()
  await inviteDialog.getByRole('switch', { name: 'Can send texts' }).press('Space')
  await expect(inviteDialog.getByRole('switch', { name: 'Can read texts' })).toBeChecked()
  await expect(
    inviteDialog.getByRole('switch', { name: 'Can see phones, emails and guardians' }),
  ).toBeChecked()
  await expect(inviteDialog.getByRole('radio', { name: 'Custom' })).toBeChecked()
  await inviteDialog.getByRole('button', { name: 'Invite', exact: true }).click()
  await dialog(page, 'Invite Jo Diaz').getByRole('button', { name: 'Done' }).click()
  const { invitations } = await call(staffApi.list, {}, dojo.token)
  expect(invitations.map(({ name, preset }) => [name, preset])).toEqual([['Jo Diaz', null]])
  expect(new Set(invitations[0]?.rights)).toEqual(
    new Set([...rightsOfPreset('assistant'), 'texts.send', 'texts.read', 'students.contact']),
  )
})

import type { Page } from '@playwright/test'
import { familiesApi } from '@tatami/contract/families/families'
import { call } from './api.ts'
import { conversationList, newPhone, textDojo, conversationThread } from './conversations.ts'
import type { Dojo } from './dojo.ts'
import { createGuardian } from './families.ts'
import { expect, expectAccessible, expectAllAccessible, signIn, test } from './harness.ts'

/** Creates Leo and Mia, who share a phone. */
async function createFamily(dojo: Dojo) {
  const phone = newPhone()
  for (const name of ['Leo Chen', 'Mia Chen'])
    await dojo.createStudent({ name, phone_number: phone })
}
const FAMILY = 'Leo Chen, Mia Chen'

/** Opens the conversation with an unknown number, and the dialog that asks whose number it is. */
async function openLinkDialog(page: Page, dojo: Dojo, visit: (path: string) => Promise<void>) {
  await textDojo(dojo, newPhone(), 'Who is this?')
  await signIn(page, dojo)
  await visit('/messages')
  await conversationList(page)
    .getByRole('link', { name: /^\(512\) 555-/ })
    .click()
  await page.getByRole('button', { name: 'Whose number is this?' }).click()
  const dialog = page.getByRole('dialog', { name: /^Whose number is/ })
  return { dialog, searchField: dialog.getByLabel('Guardian or student') }
}

test('shows an unknown number, and links it to a student', async ({ page, dojo, visit }) => {
  await createFamily(dojo)
  const { dialog, searchField } = await openLinkDialog(page, dojo, visit)
  await searchField.fill('zoe')
  await expect(dialog).toContainText('No results')
  await searchField.fill('chen le')
  await dialog.getByRole('button', { name: /^Leo Chen/ }).click()
  const student = page.getByRole('dialog', { name: 'Leo Chen' })
  await student.getByLabel('Who answers this phone').fill('Grandma Chen')
  await expectAccessible(page)
  await student.getByRole('button', { name: 'Link' }).click()
  await expect(conversationThread(page, 'Grandma Chen (Leo Chen)')).toBeVisible()
  await page.getByText('About this phone').click()
  await page.getByRole('button', { name: 'Unlink Leo Chen' }).click()
  await expect(page.getByRole('button', { name: 'Whose number is this?' })).toBeVisible()
})

test(
  'links a number to a guardian with a tap on the name, and undoes it',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const leo = await dojo.createStudent({ name: 'Leo Díaz', phone_number: newPhone() })
    await createGuardian(dojo, [leo])
    const { dialog, searchField } = await openLinkDialog(page, dojo, visit)
    await searchField.fill('diaz')
    await expect(dialog.getByRole('list', { name: 'People' }).getByRole('button')).toHaveText([
      'Leo DíazStudent',
      'Rosa DiazGuardian of Leo',
    ])
    await expectAllAccessible(page)
    await dialog.getByRole('button', { name: /^Rosa Diaz/ }).click()
    await expect(conversationThread(page, 'Rosa Diaz (Leo Díaz)')).toBeVisible()
    await expect(page.getByText('Linked to Rosa Diaz')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('button', { name: 'Whose number is this?' })).toBeVisible()
    // Later it can be undone in the details of the phone.
    await page.getByRole('button', { name: 'Whose number is this?' }).click()
    await searchField.fill('rosa')
    await dialog.getByRole('button', { name: /^Rosa Diaz/ }).click()
    await page.getByText('About this phone').click()
    await page.getByRole('button', { name: 'Unlink Rosa Diaz' }).click()
    await expect(page.getByRole('button', { name: 'Whose number is this?' })).toBeVisible()
  },
)

test(
  'links a number to a new guardian, and undoes it',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await createFamily(dojo)
    const { dialog, searchField } = await openLinkDialog(page, dojo, visit)
    await searchField.fill('Ben Chen')
    await dialog.getByRole('button', { name: 'New guardian' }).click()
    const form = page.getByRole('dialog', { name: 'New guardian' })
    await expect(form.getByLabel('Name')).toHaveValue('Ben Chen')
    await form.getByRole('button', { name: 'Link' }).click()
    await expect(form).toContainText('Choose at least one student')
    await form.getByLabel('Relation').selectOption('Father')
    for (const name of ['Leo Chen', 'Mia Chen']) await form.getByLabel(name).check()
    await expectAllAccessible(page)
    await form.getByRole('button', { name: 'Link' }).click()
    await expect(conversationThread(page, `Ben Chen (${FAMILY})`)).toBeVisible()
    const readGuardians = async () => (await call(familiesApi.list, {}, dojo.token)).guardians
    expect(await readGuardians()).toMatchObject([
      { name: 'Ben Chen', students: [{ relation: 'father' }, {}] },
    ])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('button', { name: 'Whose number is this?' })).toBeVisible()
    await expect.poll(readGuardians).toEqual([])
  },
)

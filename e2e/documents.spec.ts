import type { Page } from '@playwright/test'
import { createDailyClass } from './daily-class.ts'
import { publishWaiver } from './documents.ts'
import { createGuardian } from './families.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

test('writes and publishes a document', { tag: '@both' }, async ({ page, dojo, visit }) => {
  await dojo.createStudent({ name: 'Leo Diaz', date_of_birth: '1990-03-01' })
  await signIn(page, dojo)
  await visit('/documents')
  await expect(page.getByText(/^No documents yet\./)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Write a document' }).click()
  const editor = dialog(page, 'New document')
  await expect(editor.getByRole('textbox', { name: 'Text' })).toHaveValue(/Ask your lawyer/)
  await editor.getByRole('textbox', { name: 'Text' }).fill('# Risks\nTraining has risks.')
  await editor.getByRole('button', { name: 'Add a question' }).click()
  await editor.getByRole('textbox', { name: 'Question' }).fill('Can your child swim?')
  await expectAccessible(page)
  await editor.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Open Waiver' }).click()
  await expect(page.getByText('Not published')).toBeVisible()
  await page.getByRole('button', { name: 'Publish' }).click()
  await expectAccessible(page)
  await dialog(page, 'Publish Waiver').getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByRole('list', { name: 'Students' })).toContainText('Leo Diaz')
  await page.getByRole('button', { name: 'Ask everybody again' }).click()
  await expect(page.getByText('Asked for 1 student, in the app and by email.')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Edit' }).click()
  await dialog(page, 'Edit Waiver').getByRole('textbox', { name: 'Text' }).fill('Another text.')
  await dialog(page, 'Edit Waiver').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Publish' }).click()
  await dialog(page, 'Publish Waiver').getByLabel('Only people who have not signed yet').check()
  await dialog(page, 'Publish Waiver').getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText(/^Version 2/)).toBeVisible()

  await visit('/documents')
  await page.getByRole('button', { name: 'Rules' }).click()
  const rules = dialog(page, 'Rules for documents')
  await rules.getByLabel('Hold at the kiosk').check()
  await expectAccessible(page)
  await rules.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/^The kiosk sends students without a signature/)).toBeVisible()
})

test('the roll marks who has not signed, and staff record a paper', async ({
  page,
  dojo,
  visit,
}) => {
  await publishWaiver(dojo)
  const { id } = await createDailyClass(dojo)
  const leo = await dojo.createStudent({
    name: 'Leo Diaz',
    date_of_birth: '2016-03-01',
    enrolled_classes: [id],
  })
  await createGuardian(dojo, [leo])
  await signIn(page, dojo)
  await visit(`/attendance?class=${id}`)
  await page.getByRole('button', { name: 'Leo Diaz has not signed: Waiver' }).click()
  const sheet = dialog(page, 'Leo Diaz')
  await expect(sheet.getByRole('radio', { name: 'Rosa Diaz' })).toBeChecked()
  await expectAccessible(page)
  await expect(sheet.getByRole('button', { name: 'Sign here' })).toBeVisible()
  await visit(`/students/${leo.id}`)
  const papers = page.getByRole('region', { name: 'Signed documents' })
  await papers.getByRole('button', { name: 'Get a signature' }).click()
  await sheet.getByRole('button', { name: 'Signed on paper' }).click()
  await expectAccessible(page)
  await dialog(page, 'Signed on paper').getByRole('button', { name: 'Save' }).click()
  await papers.getByText('Signatures (1)').click()
  await expect(papers.getByText(/on paper, recorded by Aiko Tanaka/)).toBeVisible()
  await papers.getByRole('button', { name: 'Revoke' }).click()
  const revocation = dialog(page, /^Revoke/)
  await revocation.getByLabel('Reason').fill('Wrong paper')
  await expectAccessible(page)
  await revocation.getByRole('button', { name: 'Revoke' }).click()
  await expect(papers.getByText('Revoked: Wrong paper')).toBeVisible()
  await expect(papers.getByText('Not signed')).toBeVisible()
})

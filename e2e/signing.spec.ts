import { readFileSync } from 'node:fs'
import { createSigningPath, publishWaiver } from './documents.ts'
import type { Dojo } from './dojo.ts'
import { createGuardian } from './families.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

async function createSigning(dojo: Dojo, waiver?: Parameters<typeof publishWaiver>[1]) {
  const documentId = await publishWaiver(dojo, waiver)
  const leo = await dojo.createStudent({ name: 'Leo Diaz', date_of_birth: '2016-03-01' })
  const rosa = await createGuardian(dojo, [leo])
  return { documentId, leo, rosa }
}

test(
  'a guardian reads, answers, signs and downloads a copy',
  { tag: '@both' },
  async ({ page, dojo, allowErrors }) => {
    allowErrors(/status of 422/)
    const { documentId, leo, rosa } = await createSigning(dojo)
    await page.goto(await createSigningPath(dojo, leo.id, documentId, { guardian_id: rosa.id }))
    await expect(page.getByRole('heading', { name: 'Sign for Leo' })).toBeVisible()
    // Nothing shows before the signer agrees to sign on a screen.
    await expect(page.getByText('Training has risks.')).toBeHidden()
    await expectAccessible(page)
    await page.getByLabel('I agree to read and sign on a screen').check()
    await expect(page.getByText('Training has risks.')).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: 'Bruises' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'I sign for Leo' }).click()
    await expect(page.getByText('Full name is required')).toBeVisible()
    await page.getByLabel('Your full name').fill('Rosa Diaz')
    await page.getByRole('button', { name: 'I sign for Leo' }).click()
    await expect(page.getByText('Please answer: Can your child swim?')).toBeVisible()
    await page.getByLabel('Yes').check()
    await page.getByRole('button', { name: 'I sign for Leo' }).click()
    await expect(page.getByRole('heading', { name: 'Signed. Thank you.' })).toBeVisible()
    await expect(page.getByText(/^Signed on .+ C[SD]T\.$/)).toBeVisible()
    await expectAccessible(page)
    // The page keeps neither the text nor the secret of the link.
    await expect(page.getByText('Training has risks.')).toHaveCount(0)
    expect(new URL(page.url()).hash).toBe('')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download your copy' }).click()
    const file = await (await download).path()
    expect(readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-')
  },
)

test('a link that reached the wrong person ends', async ({ page, dojo, allowErrors }) => {
  allowErrors(/status of 400/)
  const { documentId, leo, rosa } = await createSigning(dojo)
  const path = await createSigningPath(dojo, leo.id, documentId, { guardian_id: rosa.id })
  await page.goto(path)
  await page.getByRole('button', { name: 'Not my child' }).click()
  await expect(page.getByText(/This link no longer works, and the school knows/)).toBeVisible()
  await page.goto('about:blank')
  await page.goto(path)
  await expect(page.getByRole('alert')).toContainText('This link no longer works.')
  await expectAccessible(page)
})

test('somebody else says who they are, and may sign on paper instead', async ({ page, dojo }) => {
  const { documentId, leo } = await createSigning(dojo)
  await page.goto(await createSigningPath(dojo, leo.id, documentId, { is_somebody_else: true }))
  await page.getByRole('button', { name: 'I’d rather sign on paper' }).click()
  await expect(page.getByText(/Please ask Tanaka Dojo for a printed copy/)).toBeVisible()
  await page.getByLabel('I agree to read and sign on a screen').check()
  await page.getByLabel('Yes').check()
  await page.getByLabel('How are you related to Leo?').selectOption('Grandparent')
  await page.getByLabel('Your phone number').fill('512 555 0199')
  await page.getByLabel('Your full name').fill('Ana Diaz')
  await page.getByRole('button', { name: 'I sign for Leo' }).click()
  await expect(page.getByRole('heading', { name: 'Signed. Thank you.' })).toBeVisible()
})

test('a guardian finds what to sign at home', { tag: '@both' }, async ({ page, dojo, visit }) => {
  const { rosa } = await createSigning(dojo)
  await signIn(page, rosa)
  await visit('/dashboard')
  await expect(page.getByRole('heading', { name: '1 paper to sign' })).toBeVisible()
  await page.getByRole('button', { name: 'Sign for Leo Diaz' }).click()
  await page.getByLabel('I agree to read and sign on a screen').check()
  await page.getByLabel('Yes').check()
  await page.getByLabel('Your full name').fill('Rosa Diaz')
  await page.getByRole('button', { name: 'I sign for Leo' }).click()
  await page.getByRole('link', { name: 'Done' }).click()
  await visit('/my-documents')
  await expect(page.getByRole('list', { name: 'Signed' })).toContainText('Waiver')
  await expectAccessible(page)
})

test('a Spanish browser shows the Spanish text first, with the English one a tap away', async ({
  browser,
  dojo,
}) => {
  const { documentId, leo, rosa } = await createSigning(dojo, { hasSpanishText: true })
  const context = await browser.newContext({ locale: 'es-MX', baseURL: process.env.E2E_URL })
  const page = await context.newPage()
  await page.goto(await createSigningPath(dojo, leo.id, documentId, { guardian_id: rosa.id }))
  await page.getByLabel('I agree to read and sign on a screen').check()
  await expect(page.getByText('Entrenar tiene riesgos.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Read it in English' }).click()
  await expect(page.getByText('Training has risks.')).toBeVisible()
  await expect(page.getByLabel('Language')).toHaveValue('en')
  await expect(page.getByRole('button', { name: 'Read it in English' })).toBeHidden()
  await context.close()
})

test('a medical answer becomes a note by a tap', async ({ page, dojo, visit }) => {
  const { documentId, leo, rosa } = await createSigning(dojo, { isMedical: true })
  await page.goto(await createSigningPath(dojo, leo.id, documentId, { guardian_id: rosa.id }))
  await page.getByLabel('I agree to read and sign on a screen').check()
  await page.getByLabel('No', { exact: true }).check()
  await page.getByLabel('Your full name').fill('Rosa Diaz')
  await page.getByRole('button', { name: 'I sign for Leo' }).click()
  await expect(page.getByRole('heading', { name: 'Signed. Thank you.' })).toBeVisible()
  await signIn(page, dojo)
  await visit(`/students/${leo.id}`)
  await page.getByText('Signatures (1)').click()
  await page.getByRole('button', { name: 'Add to medical note' }).click()
  await expect(page.getByText('Added to the medical note')).toBeVisible()
  await expectAccessible(page)
  await expect(page.getByText('Can your child swim? No').first()).toBeVisible()
})

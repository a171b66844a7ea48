import { pricesApi } from '@tatami/contract/dues/prices'
import { textingApi } from '@tatami/contract/texting/texting'
import { call } from './api.ts'
import { createGuardian } from './families.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

test(
  'a fee message contains the amount, or the total of a family, as the preview shows',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const leo = await dojo.createStudent({ name: 'Leo Diaz', monthly_payment_amount: 80 })
    const mia = await dojo.createStudent({ name: 'Mia Diaz', monthly_payment_amount: 100 })
    await dojo.createStudent({ name: 'Ken Adams', monthly_payment_amount: 85.5 })
    await createGuardian(dojo, [leo, mia], { pays: true })
    await call(
      pricesApi.setRule,
      { body: { ordered_by: 'highest_fee', prices: [{ nth: 2, percent: 10 }] } },
      dojo.token,
    )
    await signIn(page, dojo)
    await visit('/message-center')
    await page.getByRole('button', { name: 'Compose' }).click()
    await page.getByRole('button', { name: 'Monthly Fee Reminder' }).click()
    const dialog = page.getByRole('dialog', { name: 'Monthly Fee Reminder' })
    const field = dialog.getByLabel('Message', { exact: true })
    await field.fill('Hi {name}, your fee is ')
    await dialog.getByRole('button', { name: 'Insert {amount}' }).click()
    await expect(field).toHaveValue('Hi {name}, your fee is {amount}')
    await expect(dialog.getByRole('figure', { name: 'Preview' })).toContainText(
      'Hi Alex, your fee is $85.00',
    )
    await expect(dialog).toContainText('3 students, 2 texts, 2 segments.')
    await dialog.getByText('Names and reasons').click()
    const recipients = dialog.getByRole('list', { name: 'Will get it' }).getByRole('listitem')
    await expect(recipients).toHaveText(['Ken Adams$85.50', 'Leo Diaz$72.00', 'Mia Diaz$100.00'])
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('Sent to 3 students')).toBeVisible()
    await page
      .getByRole('region', { name: 'Sent messages' })
      .getByRole('button', { name: 'Monthly Fee Reminder' })
      .click()
    const reminder = page.getByRole('dialog', { name: 'Monthly Fee Reminder' })
    await expect(reminder).toContainText('Hi {name}, your fee is {amount}')
    const [batch] = await call(textingApi.batches, { query: {} }, dojo.token)
    const { texts } = await call(textingApi.batch, { params: { id: batch!.id } }, dojo.token)
    expect(texts.map(({ text }) => text)).toEqual([
      'Hi Ken, your fee is $85.50',
      'Hi Leo and Mia, your fee is $172.00',
      'Hi Leo and Mia, your fee is $172.00',
    ])
  },
)

test(
  'offers no amount in a message that is not about fees',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await signIn(page, dojo)
    await visit('/message-center')
    await page.getByRole('button', { name: 'Weather Cancellation' }).click()
    const dialog = page.getByRole('dialog', { name: 'Weather Cancellation Notice' })
    await expect(dialog.getByRole('button', { name: 'Insert {name}' })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Insert {amount}' })).toHaveCount(0)
    await dialog.getByLabel('Message', { exact: true }).fill('{amount} of snow')
    await expect(dialog.getByRole('figure', { name: 'Preview' })).toContainText('{amount} of snow')
  },
)

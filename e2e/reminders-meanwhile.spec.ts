import { textingApi } from '@tatami/contract/texting'
import { call } from './api.ts'
import { expect, signIn, test } from './harness.ts'

test('a reminder that went out while it was looked at does not go out again unasked', async ({ page, dojo, visit, announce }) => {
  announce(/409|ERR_FAILED/)
  await dojo.createStudent()
  await signIn(page, dojo)
  await visit('/message-center')
  await page.getByRole('button', { name: 'On Due' }).click()
  const dialog = page.getByRole('dialog', { name: 'On Due' })
  await expect(dialog).toContainText('For the fee of')
  await call(textingApi.sendOnDue, { query: {} }, dojo.token)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog.getByText('This reminder has gone out meanwhile. Nobody was sent it again.')).toBeVisible()
  await expect(dialog).toContainText('It has gone out for this month.')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  // The answer to this one is lost on its way: pressed again, it is not sent again.
  await page.route('**/api/sms/send-pre-due-reminder**', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Pre Due' }).click()
  const preDue = page.getByRole('dialog', { name: 'Pre Due' })
  await preDue.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(preDue.getByText('Press Send again: nobody gets it twice.')).toBeVisible()
  await expect(preDue).toContainText('It has gone out for this month.')
  await page.unroute('**/api/sms/send-pre-due-reminder**')
  await preDue.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('PRE DUE sent successfully!')).toBeVisible()
  await expect(page.getByText('2 of 300 used')).toBeVisible()
})

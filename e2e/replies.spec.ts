import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import { call } from './api.ts'
import { type Dojo, uniqueEmail } from './dojo.ts'
import { expect, delayCalls, signIn, test } from './harness.ts'

const STUDENT = 'Leo Chen'
const thread = (page: Page, name: string) =>
  page.getByRole('region', { name: `Conversation with ${name}` })
const texts = (page: Page) => page.getByRole('list', { name: 'Texts' }).getByRole('listitem')
const open = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Conversations' })
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click()

/** Creates a student and returns the student's phone. With `text`, the phone has sent this text. */
async function createStudentPhone(dojo: Dojo, name: string, text?: string) {
  const phone_number = `+1512555${randomInt(2000, 9999)}`
  await dojo.createStudent({ name, phone_number, email: uniqueEmail('student') })
  if (text)
    await call(conversationsApi.writeSimulated, { body: { phone_number, text } }, dojo.token)
  return phone_number
}

test('keeps an unsent reply for each phone, and what is typed while a reply is sent', async ({
  page,
  dojo,
  visit,
  isDesktop,
}) => {
  await createStudentPhone(dojo, STUDENT, 'Hello')
  await createStudentPhone(dojo, 'Ken Adams', 'Good morning')
  await signIn(page, dojo)
  await visit('/messages')
  const field = page.getByLabel('Message', { exact: true })
  await open(page, STUDENT)
  await expect(thread(page, STUDENT)).toBeVisible()
  await field.fill('See you')
  if (!isDesktop) await page.goBack()
  await open(page, 'Ken Adams')
  await expect(thread(page, 'Ken Adams')).toBeVisible()
  await expect(field).toHaveValue('')
  if (!isDesktop) await page.goBack()
  await open(page, STUDENT)
  await expect(field).toHaveValue('See you')
  const release = await delayCalls(page, '**/messages', 'POST')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await field.fill('On Monday')
  release()
  await expect(texts(page).filter({ hasText: 'See you' })).toHaveCount(1)
  await expect(field).toHaveValue('On Monday')
})

test(
  'keeps a reply that got no response, and sends it once',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    const phone = await createStudentPhone(dojo, STUDENT)
    await signIn(page, dojo)
    await visit(`/messages?phone=${encodeURIComponent(phone)}`)
    const field = page.getByLabel('Message', { exact: true }),
      sendButton = page.getByRole('button', { name: 'Send', exact: true })
    await field.fill('See you on Monday')
    // The call arrives, but its response is lost.
    await page.route('**/messages', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await route.fetch()
      return route.abort()
    })
    await sendButton.click()
    await expect(page.getByRole('alert')).toContainText('it does not go out twice')
    await expect(field).toHaveValue('See you on Monday')
    await page.unroute('**/messages')
    await sendButton.click()
    await expect(field).toHaveValue('')
    await expect(texts(page)).toHaveCount(1)
  },
)

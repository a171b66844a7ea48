import {
  newPhone,
  openConversation,
  textDojo,
  textItems,
  conversationThread,
} from './conversations.ts'
import { type Dojo, uniqueEmail } from './dojo.ts'
import { expect, delayCalls, signIn, test } from './harness.ts'

const STUDENT = 'Leo Chen'

/** Creates a student and returns the student's phone. With `text`, the phone has sent this text. */
async function createStudentPhone(dojo: Dojo, name: string, text?: string) {
  const phone_number = newPhone()
  await dojo.createStudent({ name, phone_number, email: uniqueEmail('student') })
  if (text) await textDojo(dojo, phone_number, text)
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
  await openConversation(page, STUDENT)
  await expect(conversationThread(page, STUDENT)).toBeVisible()
  await field.fill('See you')
  if (!isDesktop) await page.goBack()
  await openConversation(page, 'Ken Adams')
  await expect(conversationThread(page, 'Ken Adams')).toBeVisible()
  await expect(field).toHaveValue('')
  if (!isDesktop) await page.goBack()
  await openConversation(page, STUDENT)
  await expect(field).toHaveValue('See you')
  const release = await delayCalls(page, '**/messages', 'POST')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await field.fill('On Monday')
  release()
  await expect(textItems(page).filter({ hasText: 'See you' })).toHaveCount(1)
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
    const field = page.getByLabel('Message', { exact: true })
    const sendButton = page.getByRole('button', { name: 'Send', exact: true })
    await field.fill('See you on Monday')
    // The call arrives, but its response is lost.
    await page.route('**/messages', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await route.fetch()
      return route.abort()
    })
    await sendButton.click()
    await expect(page.getByRole('alert')).toContainText('it won’t go out twice')
    await expect(field).toHaveValue('See you on Monday')
    await page.unroute('**/messages')
    await sendButton.click()
    await expect(field).toHaveValue('')
    await expect(textItems(page)).toHaveCount(1)
  },
)

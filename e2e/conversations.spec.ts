import { WEEKDAYS } from '@tatami/contract/lib/calendar-day'
import type { Locator } from '@playwright/test'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import { excusesApi } from '@tatami/contract/calendar/excuses'
import { POLL_MS } from '@tatami/contract/notifications/notifications'
import { textingApi } from '@tatami/contract/texting/texting'
import { sql } from 'drizzle-orm'
import { call } from './api.ts'
import {
  conversationList,
  newPhone,
  openConversation,
  sendCancellation,
  textDojo,
  textItems,
  conversationThread,
} from './conversations.ts'
import type { Dojo } from './dojo.ts'
import {
  expect,
  expectAccessible,
  expectAllAccessible,
  delayCalls,
  signIn,
  test,
} from './harness.ts'

/** Creates Leo and Mia, who share a phone. */
async function createFamily(dojo: Dojo) {
  const phone = newPhone()
  const { id } = await dojo.createClass({
    class_name: 'Kids Judo',
    class_days: [...WEEKDAYS],
  })
  for (const name of ['Leo Chen', 'Mia Chen'])
    await dojo.createStudent({ name, phone_number: phone, enrolled_classes: [id] })
  return phone
}
const FAMILY = 'Leo Chen, Mia Chen'

test('marks a conversation as read when it is opened, and replies to the parent', async ({
  page,
  dojo,
  visit,
  layoutPath,
}) => {
  const phone = await createFamily(dojo)
  await sendCancellation(dojo)
  await textDojo(dojo, phone, 'Is there class on Monday?')
  await signIn(page, dojo)
  await visit('/message-center')
  const main = page.getByRole('navigation', { name: 'Main' })
  await expect(main.getByRole('link', { name: /Message Center.*, 1 unread$/ })).toBeVisible()
  await page.reload()
  await page.getByRole('link', { name: /^Inbox.*, 1 unread$/ }).click()
  await expect(page).toHaveURL(`${layoutPath}/messages`)
  await expect(conversationList(page)).toContainText('Is there class on Monday?')
  await expectAllAccessible(page)
  await openConversation(page, FAMILY)
  await expect(textItems(page).first()).toContainText('Hi Leo and Mia, no class today.')
  await expect(textItems(page).first()).toContainText('Weather Cancellation')
  await expect(textItems(page).nth(1)).toContainText('Is there class on Monday?')
  await expect(main.getByRole('link', { name: /Message Center$/ })).toBeVisible()
  expect(await call(textingApi.inboxUnread, {}, dojo.token)).toEqual({ unread_count: 0 })
  await page.getByLabel('Message', { exact: true }).fill('Yes, {name}, as usual.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const reply = textItems(page).nth(2)
  for (const text of ['Yes, Leo and Mia, as usual.', 'Aiko Tanaka'])
    await expect(reply).toContainText(text)
  // The conversation is loaded again every few seconds, and when its tab gets the focus.
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(reply).toContainText('Delivered', { timeout: 500 })
  }).toPass({ timeout: 15_000 })
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue('')
  await expectAccessible(page)
  // On a phone, Back leads to the list. On a desktop, the list is next to the conversation.
  await page.goBack()
  await expect(page).toHaveURL(`${layoutPath}/messages`)
  await expect(conversationList(page).getByRole('link')).toContainText(
    'Sent: Yes, Leo and Mia, as usual.',
  )
})

test(
  'marks a conversation unread again, and shows new texts',
  { tag: '@long' },
  async ({ page, dojo, visit, layoutPath, isDesktop }) => {
    const phone = await createFamily(dojo)
    const kenPhone = newPhone()
    await dojo.createStudent({ name: 'Ken Adams', phone_number: kenPhone })
    await textDojo(dojo, kenPhone, 'Good morning')
    await textDojo(dojo, phone, 'Hello')
    await signIn(page, dojo)
    await visit('/messages')
    await openConversation(page, 'Ken Adams')
    await expect(textItems(page)).toContainText(['Good morning'])
    // On a desktop, the list is next to the conversation.
    if (!isDesktop) await page.goBack()
    await openConversation(page, FAMILY)
    await expect(textItems(page)).toHaveCount(1)
    await expect
      .poll(async () => (await call(textingApi.inboxUnread, {}, dojo.token)).unread_count)
      .toBe(0)
    await textDojo(dojo, phone, 'And one more thing')
    await expect(textItems(page).nth(1)).toContainText('And one more thing', { timeout: 15_000 })
    await expect
      .poll(async () => (await call(textingApi.inboxUnread, {}, dojo.token)).unread_count)
      .toBe(0)
    await page.getByRole('button', { name: 'Mark unread' }).click()
    await expect(page).toHaveURL(`${layoutPath}/messages`)
    await expect(
      conversationList(page).getByRole('link', { name: new RegExp(`^${FAMILY}`) }),
    ).toContainText('1 unread')
    expect(await call(textingApi.inboxUnread, {}, dojo.token)).toEqual({ unread_count: 1 })
  },
)

test(
  'adds, changes, uses and deletes templates',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const phone = await createFamily(dojo)
    await signIn(page, dojo)
    await visit(`/messages?phone=${encodeURIComponent(phone)}`)
    await page.getByRole('button', { name: 'Templates' }).click()
    const dialog = page.getByRole('dialog', { name: 'Templates' })
    await expect(dialog).toContainText('No templates yet.')
    await dialog.getByRole('button', { name: 'New template' }).click()
    const form = page.getByRole('dialog', { name: 'New template' })
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form).toContainText('Name is required')
    await form.getByLabel('Name').fill('Parking')
    await form.getByLabel('Text').fill('Hi {name}, please park behind the hall.')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByRole('list', { name: 'Templates' })).toContainText(
      'please park behind the hall',
    )
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Edit Parking' }).click()
    const editForm = page.getByRole('dialog', { name: 'Edit template' })
    await editForm.getByLabel('Name').fill('Where to park')
    await editForm.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByLabel('Template', { exact: true }).selectOption('Where to park')
    await expect(page.getByLabel('Message', { exact: true })).toHaveValue('')
    await page.getByRole('button', { name: 'Insert the template' }).click()
    await expect(page.getByLabel('Message', { exact: true })).toHaveValue(
      'Hi {name}, please park behind the hall.',
    )
    await page.getByRole('button', { name: 'Templates' }).click()
    await dialog.getByRole('button', { name: 'Delete Where to park' }).click()
    await page
      .getByRole('alertdialog', { name: 'Delete Where to park?' })
      .getByRole('button', { name: 'Delete template' })
      .click()
    await expect(dialog).toContainText('No templates yet.')
  },
)

test(
  'shows that a phone replied STOP, and records consent given on paper',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const phone = await createFamily(dojo)
    await textDojo(dojo, phone, 'STOP')
    await signIn(page, dojo)
    await visit(`/messages?phone=${encodeURIComponent(phone)}`)
    await expect(
      page.getByText('This phone replied STOP, so it gets no texts. You can still call.'),
    ).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toHaveCount(0)
    await expect(textItems(page)).toContainText('Opted out of texts')
    await page.getByText('About this phone').click()
    await page.getByRole('button', { name: 'Record consent' }).click()
    const dialog = page.getByRole('dialog', { name: 'Record consent' })
    await dialog.getByLabel('Who').fill('Ann Chen')
    await dialog.getByRole('button', { name: 'Record' }).click()
    await expect(conversationThread(page, FAMILY)).toContainText('Ann Chen agreed, on paper')
  },
)

test(
  'shows who is excused by OUT, and undoes it',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const phone = await createFamily(dojo)
    await textDojo(dojo, phone, 'Out.')
    await signIn(page, dojo)
    await visit(`/messages?phone=${encodeURIComponent(phone)}`)
    const excuseText = textItems(page).first()
    await expect(excuseText).toContainText('Leo Chen is excused from Kids Judo')
    await expect(textItems(page).nth(1)).toContainText('Leo and Mia are excused from Kids Judo')
    await expect(textItems(page).nth(1)).toContainText('Automatic reply')
    await expectAccessible(page)
    await excuseText.getByRole('button', { name: /^Undo: Leo Chen/ }).click()
    await expect(excuseText).toContainText('Undone')
    expect(
      (await call(excusesApi.list, { query: {} }, dojo.token)).map(
        ({ student_name }) => student_name,
      ),
    ).toEqual(['Mia Chen'])
  },
)

test(
  'lists who has not seen a cancellation, with links to call them',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const phone = await createFamily(dojo)
    await dojo.createStudent({ name: 'Ken Adams', phone_number: newPhone() })
    const { batch_id } = await sendCancellation(dojo)
    const countQueued = async () =>
      (await call(textingApi.batch, { params: { id: batch_id } }, dojo.token)).counts.queued
    await expect.poll(countQueued).toBe(0)
    await page.clock.install()
    await signIn(page, dojo)
    await visit('/message-center')
    await page
      .getByRole('region', { name: 'Sent messages' })
      .getByRole('button', { name: 'Weather Cancellation' })
      .click()
    const sheet = page.getByRole('dialog', { name: 'Weather Cancellation' })
    const unreachedRegion = sheet.getByRole('region', { name: /^Not yet reached/ })
    await expect(unreachedRegion).toContainText('No one has replied OK yet.')
    await expect(unreachedRegion.getByRole('listitem')).toHaveCount(2)
    // By now, the page has stopped asking for delivery reports.
    await page.clock.fastForward('03:00')
    await textDojo(dojo, phone, 'OK')
    await expect(async () => {
      await page.clock.fastForward(POLL_MS)
      await expect(unreachedRegion).toContainText('1 phone has replied OK.', { timeout: 1000 })
    }).toPass()
    await expect(unreachedRegion.getByRole('listitem')).toHaveCount(1)
    await expect(
      unreachedRegion.getByRole('link', { name: /^Call Ken Adams, \(512\) 555-/ }),
    ).toHaveAttribute('href', /^tel:\+1512555/)
    await expectAccessible(page)
  },
)

test(
  'switches reply commands on and off, and reports a failure',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    await signIn(page, dojo)
    await visit('/automatic-reminders')
    const outSwitch = page.getByRole('switch', { name: 'Reply OUT to be excused' })
    await expect(outSwitch).toBeChecked()
    const responsePromise = page.waitForResponse(
      (response) =>
        response.request().method() === 'PUT' && response.url().endsWith('/sms/reply-settings'),
    )
    await outSwitch.press('Space')
    await responsePromise
    await expect(outSwitch).not.toBeChecked()
    expect(await call(conversationsApi.replySettings, {}, dojo.token)).toEqual({
      out_enabled: false,
      ok_enabled: true,
    })
    // Two changes at the same time: the second does not undo the first.
    const release = await delayCalls(page, '**/sms/reply-settings', 'PUT')
    await outSwitch.press('Space')
    await page.getByRole('switch', { name: 'Reply OK to a cancellation' }).press('Space')
    release()
    await expect
      .poll(() => call(conversationsApi.replySettings, {}, dojo.token))
      .toEqual({ out_enabled: true, ok_enabled: false })
    await page.route('**/sms/reply-settings', (route) => route.abort())
    await outSwitch.press('Space')
    await expect(page.getByText('The reply settings could not be saved.')).toBeVisible()
    await expect(outSwitch).toBeChecked()
  },
)

test(
  'texts one student from the list of conversations',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await dojo.createStudent({ name: 'Ken Adams', phone_number: newPhone() })
    await signIn(page, dojo)
    await visit('/messages')
    await expect(page.getByText('No replies yet.')).toBeVisible()
    await page.getByRole('button', { name: 'Text a student' }).click()
    const searchDialog = page.getByRole('dialog', { name: 'Text a student' })
    await searchDialog.getByRole('searchbox', { name: 'Student' }).fill('ken')
    await expect(searchDialog.getByRole('button', { name: /^Ken Adams/ })).toContainText(
      'White belt · No classes',
    )
    await expectAccessible(page)
    await searchDialog.getByRole('button', { name: /^Ken Adams/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Text Ken Adams' })
    await expect(dialog).toContainText('Goes out as 1 text')
    await dialog.getByLabel('Message').fill('Hi {name}, you forgot your belt.')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(dialog).toHaveCount(0)
    await expect(conversationList(page).getByRole('link', { name: /^Ken Adams/ })).toContainText(
      'Sent: Hi Ken, you forgot your belt.',
    )
  },
)

test(
  'shows how many texts are sent when students share a phone',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await createFamily(dojo)
    await signIn(page, dojo)
    await visit('/message-center')
    await page.getByRole('button', { name: 'Weather Cancellation' }).click()
    const dialog = page.getByRole('dialog', { name: 'Weather Cancellation Notice' })
    await dialog.getByLabel('Message').fill('Hi {name}, no class today.')
    await expect(dialog).toContainText('2 students, 1 text, 1 segment. 300 texts remain today.')
    await expect(dialog).toContainText('2 students get this')
  },
)

test(
  'writes as a parent in the simulator, and links to the conversation',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await createFamily(dojo)
    await signIn(page, dojo)
    await visit('/simulator')
    await page.getByText('Write as a parent').click()
    await page.getByLabel('From the phone of').selectOption({ index: 1 })
    await page.getByLabel('Message', { exact: true }).fill('We are late')
    await page.getByRole('button', { name: 'Write', exact: true }).click()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'See the conversation' }).click()
    await expect(textItems(page)).toContainText('We are late')
  },
)

test(
  'reports what could not be loaded, and loads it on Try again',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/status of 403/)
    const phone = await createFamily(dojo)
    await textDojo(dojo, phone, 'Hello')
    await signIn(page, dojo)
    // The page would retry calls that get no response, so these are refused.
    const refusedPaths = /\/api\/sms\/(conversations|phones)/
    await page.route(refusedPaths, (route) =>
      route.fulfill({ status: 403, json: { detail: 'Not now' } }),
    )
    await visit('/messages')
    await expect(page.getByText('The conversations could not be loaded.')).toBeVisible()
    await page.unroute(refusedPaths)
    await page.getByRole('button', { name: 'Try again' }).click()
    await openConversation(page, FAMILY)
    await expect(textItems(page)).toContainText('Hello')
  },
)

test('puts a possible stop request on top, and stops texting with one press', async ({
  page,
  dojo,
  visit,
}) => {
  const phone = await createFamily(dojo)
  const otherPhone = newPhone()
  await dojo.createStudent({ name: 'Zoe Diaz', phone_number: otherPhone })
  await textDojo(dojo, phone, 'Leo is better. Please stop texting grandma')
  await textDojo(dojo, otherPhone, 'Can we stop by tomorrow?')
  await signIn(page, dojo)
  await visit('/messages')
  const rows = conversationList(page).getByRole('listitem')
  await expect(rows.first()).toContainText(FAMILY)
  await expect(rows.first()).toContainText('Wants texts to stop?')
  await expect(rows.nth(1)).not.toContainText('Wants texts to stop?')
  await openConversation(page, FAMILY)
  await expect(textItems(page).last()).toContainText('Wants texts to stop?')
  const request = page.getByRole('region', { name: 'Wants texts to stop?' })
  await expect(request).toContainText('Do they want us to stop texting this phone?')
  await expectAccessible(page)
  await request.getByRole('button', { name: 'Stop texting' }).click()
  const stopNotice = page.getByText('no longer agrees to texts, so it gets none.')
  await expect(stopNotice).toBeVisible()
  await expect(request).toHaveCount(0)
  await expect(textItems(page).last()).toContainText('Texting stopped')
  const undoBar = page.getByRole('region', { name: 'Just done' })
  await expect(undoBar).toContainText('Texting stopped')
  await expectAccessible(page)
  await undoBar.getByRole('button', { name: 'Undo' }).click()
  await expect(stopNotice).toHaveCount(0)
  await expect(undoBar).toHaveCount(0)
  await expect(textItems(page).last()).toContainText('Wants texts to stop?')
  await request.getByRole('button', { name: 'Keep texting' }).click()
  await expect(textItems(page).last()).toContainText('Texting continues')
  await expect(textItems(page).last()).not.toContainText('Wants texts to stop?')
  await expect(undoBar).toContainText('Texting continues')
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
})

test(
  'leaves enough space for the texts when all notices are shown',
  { tag: '@both' },
  async ({ page, dojo, visit, isDesktop }) => {
    const phone = await createFamily(dojo)
    for (const text of ['Hello', 'Is there class on Monday?', 'We moved, please stop all this'])
      await textDojo(dojo, phone, text)
    // It is night at the dojo, texts are really sent, and the daily limit is reached.
    await page.clock.setFixedTime('2026-01-16T07:40:00Z')
    const service = { service: 'twilio_sms', status: 'ready', phone_number: '+15125550100' }
    await page.route('**/api/sms/info', (route) => route.fulfill({ json: service }))
    await page.route('**/api/daily-message-usage', (route) =>
      route.fulfill({
        json: {
          date: '2026-01-16',
          message_count: 300,
          daily_limit: 300,
          remaining_messages: 0,
          limit_reached: true,
        },
      }),
    )
    await signIn(page, dojo)
    await visit(`/messages?phone=${encodeURIComponent(phone)}`)
    await expect(page.getByRole('button', { name: 'Stop texting' })).toBeVisible()
    await expect(
      page.getByText(/It’s 1:40\sAM at your dojo\. Texts go out right away\./),
    ).toBeVisible()
    await expect(page.getByText('Daily limit reached. Resets at midnight UTC.')).toBeVisible()
    const readBox = async (element: Locator) => {
      const box = await element.boundingBox()
      if (!box) throw new Error('The element is not on the screen')
      return { top: box.y, bottom: box.y + box.height }
    }
    const sendBox = await readBox(page.getByRole('button', { name: 'Send', exact: true }))
    const threadBox = await readBox(conversationThread(page, FAMILY))
    if (isDesktop) expect(sendBox.bottom).toBeLessThan(threadBox.bottom)
    const questionBox = await readBox(page.getByRole('region', { name: 'Wants texts to stop?' }))
    const headingBox = await readBox(conversationThread(page, FAMILY).getByRole('heading'))
    // The conversation has enough space between its heading and the question.
    expect(questionBox.top - headingBox.bottom).toBeGreaterThan(300)
    await expect(textItems(page).last()).toBeInViewport({ ratio: 0.9 })
  },
)

test(
  'shows the newest text above the reply field when opened from the list',
  { tag: '@both' },
  async ({ page, dojo, visit }) => {
    const phone = await createFamily(dojo)
    for (let number = 1; number <= 14; number += 1) await textDojo(dojo, phone, `Message ${number}`)
    await signIn(page, dojo)
    await visit('/messages')
    await openConversation(page, FAMILY)
    const replyField = page.getByRole('textbox', { name: 'Message' })
    await expect(replyField).toBeVisible()
    await expect(page.getByText(/^Test mode/).last()).toBeVisible()
    await expect(textItems(page).last()).toContainText('Message 14')
    const measureDistance = async () =>
      ((await replyField.boundingBox())?.y ?? 0) -
      (((await textItems(page).last().boundingBox())?.y ?? 0) +
        ((await textItems(page).last().boundingBox())?.height ?? 0))
    await expect.poll(measureDistance).toBeGreaterThan(0)
  },
)

test('corrects a placeholder and shortens a text with one press', async ({ page, dojo, visit }) => {
  const phone = await createFamily(dojo)
  await textDojo(dojo, phone, 'Hello')
  await signIn(page, dojo)
  await visit(`/messages?phone=${encodeURIComponent(phone)}`)
  const field = page.getByRole('textbox', { name: 'Message' })
  const sendButton = page.getByRole('button', { name: 'Send', exact: true })
  await field.fill('Hi {Name}, see you.')
  await expect(page.getByText('{Name} can’t be filled in. Use {name} instead.')).toBeVisible()
  await expect(sendButton).toBeDisabled()
  await page.getByRole('button', { name: 'Use {name}' }).click()
  await expect(field).toHaveValue('Hi {name}, see you.')
  await expect(sendButton).toBeEnabled()
  await field.fill(`It’s on – José is there… ${'x'.repeat(60)}`)
  await expect(page.getByText('With plain ones it takes 1.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Use plain characters' }).click()
  await expect(field).toHaveValue(`It's on - José is there... ${'x'.repeat(60)}`)
  await expect(page.getByRole('button', { name: 'Use plain characters' })).toHaveCount(0)
})

test('asks before a reply to a student on vacation', async ({ page, dojo, visit, allowErrors }) => {
  allowErrors(/409/)
  const phone = newPhone()
  const { id } = await dojo.createStudent({ name: 'Ken Adams', phone_number: phone })
  await dojo.inDatabase((tx) =>
    tx.execute(sql`update students set on_vacation = true where id = ${id}`),
  )
  await textDojo(dojo, phone, 'Greetings from the beach')
  await signIn(page, dojo)
  await visit(`/messages?phone=${encodeURIComponent(phone)}`)
  await expect(page.getByText('Test mode: no text leaves this computer').last()).toBeVisible()
  await page.getByRole('textbox', { name: 'Message' }).fill('Enjoy')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const question = page.getByRole('alertdialog', { name: 'On vacation' })
  await expect(question).toContainText('Ken Adams is on vacation')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(textItems(page).filter({ hasText: 'Enjoy' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await question.getByRole('button', { name: 'Send anyway' }).click()
  await expect(textItems(page).filter({ hasText: 'Enjoy' })).toBeVisible()
})

import { attendanceApi } from '@tatami/contract/attendance/attendance'
import { paymentsApi } from '@tatami/contract/dues/payments'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import { dojosApi } from '@tatami/contract/dojos/dojos'
import { profileApi } from '@tatami/contract/profile/profile'
import { textingApi } from '@tatami/contract/texting/texting'
import { call } from './api.ts'
import { attendanceDialog } from './attendance-dialog.ts'
import { dayAhead } from './days.ts'
import { PASSWORD, uniqueEmail } from './dojo.ts'
import { createGuardian } from './families.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'
import { button, createKen, setNotes, panel } from './student-page.ts'
import { THIS_MONTH } from './this-month.ts'

test(
  'marks students with a medical note on the roll, and opens the note with one tap',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const { ken, classId } = await createKen(dojo)
    await dojo.createStudent({ name: 'Ben Moss', enrolled_classes: [classId] })
    await setNotes(dojo, ken.id, { allergies: 'Peanuts' })
    await signIn(page, dojo)
    await visit('/attendance')
    await button(page, 'Mark Attendance').click()
    await attendanceDialog(page).getByLabel('Class').selectOption({ label: 'Little Dragons' })
    await expect(page.getByRole('button', { name: /^Medical note for/ })).toHaveCount(1)
    await button(page, 'Medical note for Ken Adams').click()
    const note = page.getByRole('dialog', { name: 'Ken Adams' })
    await expect(note).toContainText('Peanuts')
    await expect(note.getByRole('link', { name: /Call Ann Adams/ })).toBeVisible()
    await expectAccessible(page)
    await page.goBack()
    await expect(note).toHaveCount(0)
    await attendanceDialog(page).getByRole('link', { name: 'Ben Moss' }).click()
    await expect(page.getByRole('heading', { name: 'Ben Moss', level: 1 })).toBeVisible()
    await button(page, 'Back').click()
    await expect(attendanceDialog(page).getByRole('link', { name: 'Ben Moss' })).toBeVisible()
    await expect(attendanceDialog(page).getByLabel('Class')).toHaveValue(classId)
  },
)

test('links names in every list to the student’s page', async ({
  page,
  dojo,
  visit,
  layoutPath,
}) => {
  const { ken, classId } = await createKen(dojo)
  await call(
    attendanceApi.mark,
    { body: { student_id: ken.id, class_id: classId, class_date: '2026-11-02', present: true } },
    dojo.token,
  )
  await call(
    paymentsApi.mark,
    {
      body: {
        student_id: ken.id,
        payment_month: THIS_MONTH.month,
        payment_year: THIS_MONTH.year,
        payment_status: 'paid',
      },
    },
    dojo.token,
  )
  await signIn(page, dojo)
  for (const path of ['/students', '/attendance', '/payment-center']) {
    await visit(path)
    await page.getByRole('link', { name: 'Ken Adams' }).first().click()
    await expect(page).toHaveURL(`${layoutPath}/students/${ken.id}`)
    await expect(page.getByRole('heading', { name: 'Ken Adams', level: 1 })).toBeVisible()
  }
})

test(
  'links birthdays, replies and the status of a text to the student’s page',
  { tag: '@long' },
  async ({ page, dojo, visit, layoutPath }) => {
    const bo = await dojo.createStudent({
      name: 'Bo Cake',
      date_of_birth: `2016${dayAhead(0).slice(4)}`,
    })
    const body = { message_type: 'weather_cancel', custom_message: 'No class today.' } as const
    await call(textingApi.sendBulk, { body }, dojo.token)
    const sentTexts = () => call(textingApi.simulated, { query: {} }, dojo.token)
    await expect.poll(async () => (await sentTexts()).length).toBe(1)
    await call(
      conversationsApi.answerSimulated,
      { params: { id: (await sentTexts())[0]!.id }, body: { text: 'Thank you' } },
      dojo.token,
    )
    await signIn(page, dojo)
    const expectPage = async () => {
      await expect(page).toHaveURL(`${layoutPath}/students/${bo.id}`)
      await expect(page.getByRole('heading', { name: 'Bo Cake', level: 1 })).toBeVisible()
    }
    await visit('/dashboard')
    await page
      .getByRole('list', { name: 'Birthdays today' })
      .getByRole('link', { name: 'Bo Cake' })
      .click()
    await expectPage()
    await expect(panel(page, 'Texts and replies').getByRole('listitem')).toHaveText([
      /^Thank youReply/,
      /^No class today\.Text/,
    ])
    await visit('/messages')
    await page
      .getByRole('list', { name: 'Conversations' })
      .getByRole('link', { name: /Bo Cake/ })
      .click()
    await page.getByText('About this phone').click()
    await page.getByRole('group').getByRole('link', { name: 'Bo Cake', exact: true }).click()
    await expectPage()
    await visit('/message-center')
    await page
      .getByRole('region', { name: 'Sent messages' })
      .getByRole('button', { name: 'Weather Cancellation' })
      .click()
    await page.getByRole('dialog').getByRole('link', { name: 'Bo Cake’s profile' }).click()
    await expectPage()
  },
)

test(
  'links recipients to the student’s page, and restores the message on Back',
  { tag: '@long' },
  async ({ page, dojo, visit, layoutPath }) => {
    const { ken } = await createKen(dojo)
    await signIn(page, dojo)
    await visit('/message-center')
    await button(page, 'Weather Cancellation').click()
    const notice = page.getByRole('dialog', { name: 'Weather Cancellation Notice' })
    await notice.getByLabel('Message').fill('No class today.')
    await notice.getByText('Names and reasons').click()
    await notice.getByRole('link', { name: 'Ken Adams' }).click()
    await expect(page.getByRole('heading', { name: 'Ken Adams', level: 1 })).toBeVisible()
    await expect(page).toHaveURL(`${layoutPath}/students/${ken.id}`)
    await page.goBack()
    await expect(notice.getByLabel('Message')).toHaveValue('No class today.')
    await expect(page).toHaveURL(`${layoutPath}/message-center`)
    await page.goBack()
    await page
      .getByRole('alertdialog', { name: 'Discard what you typed?' })
      .getByRole('button', { name: 'Discard' })
      .click()
    await expect(notice).toHaveCount(0)
    await page.reload()
    await expect(button(page, 'Weather Cancellation')).toBeVisible()
    await expect(notice).toHaveCount(0)
  },
)

test(
  'links a notification to its student, and returns to the previous screen on Back',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const { link } = await call(dojosApi.invitation, {}, dojo.token)
    const invite_code = link.split('/').at(-1)!
    await call(profileApi.join, {
      body: { name: 'Nina Lund', email: uniqueEmail('nina'), password: PASSWORD, invite_code },
    })
    await signIn(page, dojo)
    await visit('/class-center')
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
    const notificationPanel = page.getByRole('dialog', { name: 'Notifications' })
    await notificationPanel.getByRole('link', { name: /Nina Lund joined by invitation/ }).click()
    await expect(page.getByRole('heading', { name: 'Nina Lund', level: 1 })).toBeVisible()
    await expect(notificationPanel).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Class Management' })).toBeVisible()
    await expect(notificationPanel).toHaveCount(0)
    await visit('/students')
    await page
      .getByRole('region', { name: '1 new student to approve' })
      .getByRole('link', { name: 'Nina Lund' })
      .click()
    await expect(page.getByRole('heading', { name: 'Nina Lund', level: 1 })).toBeVisible()
  },
)

test(
  'links the simulator, conversations and families to the student’s page',
  { tag: '@long' },
  async ({ page, dojo, visit, layoutPath }) => {
    const { ken } = await createKen(dojo)
    await createGuardian(dojo, [ken], { pays: true, gets_texts: false })
    const [ownPhone] = await call(
      conversationsApi.studentPhones,
      { params: { id: ken.id } },
      dojo.token,
    )
    const phone = ownPhone!.phone_number
    const textDojo = (text: string) =>
      call(conversationsApi.writeSimulated, { body: { phone_number: phone, text } }, dojo.token)
    await call(
      conversationsApi.reply,
      { params: { phone }, body: { text: 'Hi {name}' } },
      dojo.token,
    )
    await textDojo('OUT')
    await signIn(page, dojo)
    const expectPage = async () => {
      await expect(page.getByRole('heading', { name: 'Ken Adams', level: 1 })).toBeVisible()
      await expect(page).toHaveURL(`${layoutPath}/students/${ken.id}`)
    }
    await visit('/simulator')
    await page.getByRole('heading', { name: 'Ken Adams' }).getByRole('link').click()
    await expectPage()
    await visit(`/messages?phone=${encodeURIComponent(phone)}`)
    await page.getByLabel('Message', { exact: true }).fill('See you')
    await page.getByRole('heading', { name: 'Ken Adams' }).getByRole('link').click()
    await expectPage()
    await page.goBack()
    await expect(page.getByLabel('Message', { exact: true })).toHaveValue('See you')
    await page
      .getByRole('list', { name: 'Texts' })
      .getByRole('listitem')
      .filter({ hasText: 'is excused from Little Dragons' })
      .getByRole('link', { name: 'Ken Adams' })
      .first()
      .click()
    await expectPage()
    await visit('/families')
    await page
      .getByRole('listitem')
      .filter({ hasText: 'mother, pays' })
      .getByRole('link', { name: 'Ken Adams' })
      .first()
      .click()
    await expectPage()
    await page.goBack()
    await button(page, 'Rosa Diaz').click()
    await page
      .getByRole('dialog', { name: 'Rosa Diaz' })
      .getByRole('link', { name: 'Ken Adams' })
      .click()
    await expectPage()
  },
)

test('shows guardians names without links', { tag: '@long' }, async ({ page, dojo, visit }) => {
  const { ken, classId } = await createKen(dojo)
  await call(
    attendanceApi.mark,
    { body: { student_id: ken.id, class_id: classId, class_date: '2026-11-02', present: true } },
    dojo.token,
  )
  await signIn(page, await createGuardian(dojo, [ken]))
  await visit('/attendance')
  await expect(page.getByText('Ken Adams').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Ken Adams' })).toHaveCount(0)
})

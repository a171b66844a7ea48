import { WEEKDAYS } from '@tatami/contract/lib/calendar-day'
import { announcementsApi } from '@tatami/contract/messages/announcements'
import { attendanceApi } from '@tatami/contract/attendance/attendance'
import type { GuardianRights } from '@tatami/contract/guardians/guardians'
import { excusesApi } from '@tatami/contract/calendar/excuses'
import { schoolMessagesApi } from '@tatami/contract/messages/school-messages'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import { receiptsApi } from '@tatami/contract/bookkeeping/receipts'
import { ledgerApi } from '@tatami/contract/ledger/ledger'
import { paymentsApi } from '@tatami/contract/dues/payments'
import { pricesApi } from '@tatami/contract/dues/prices'
import { sql } from 'drizzle-orm'
import { call } from './api.ts'
import { attendanceDialog } from './attendance-dialog.ts'
import { type Dojo, uniqueEmail } from './dojo.ts'
import { createGuardian } from './families.ts'
import { expect, expectAccessible, expectAllAccessible, signIn, test } from './harness.ts'
import { THIS_MONTH } from './this-month.ts'

const LONG_NEWS = [
  'The belt test begins at ten.',
  ...Array.from({ length: 4 }, () => 'Please come in a clean gi, a quarter of an hour early.'),
  'Families are welcome.',
].join(' ')

const isLeo = (name: string) => name.startsWith('Leo')

/** Creates three children with a mother, who sees all or some of them. Leo has a class every day,
 *  Mia and Ana have none. Siblings pay less. */
async function createFamily(
  dojo: Dojo,
  isHerChild: (name: string) => boolean,
  rights: GuardianRights = {},
) {
  const { id } = await dojo.createClass({
    class_days: [...WEEKDAYS],
    class_start_time: '6:00 AM',
    class_end_time: '10:00 PM',
  })
  // The class lasts all day, so the test does not depend on the time of day.
  await dojo.inDatabase((tx) =>
    tx.execute(sql`update classes set class_end_time = '11:59 PM' where id = ${id}`),
  )
  const createChild = (name: string, fee: number, enrolled_classes: string[] = []) =>
    dojo.createStudent({
      name,
      email: uniqueEmail('child'),
      monthly_payment_amount: fee,
      enrolled_classes,
      belt_level: 'green',
    })
  const ana = await createChild('Ana Diaz', 100)
  const leo = await createChild('Leo Diaz', 80, [id])
  const mia = await createChild('Mia Diaz', 120)
  const mother = await createGuardian(
    dojo,
    [ana, leo, mia].filter(({ name }) => isHerChild(name)),
    rights,
  )
  await call(
    pricesApi.setRule,
    { body: { ordered_by: 'highest_fee', prices: [{ nth: 2, percent: 10 }] } },
    dojo.token,
  )
  const { month, year } = THIS_MONTH
  await call(
    paymentsApi.mark,
    {
      body: {
        student_id: ana.id,
        payment_month: month,
        payment_year: year,
        payment_status: 'paid',
      },
    },
    dojo.token,
  )
  for (const { id: student_id } of [leo, mia])
    await call(
      attendanceApi.mark,
      { body: { student_id, class_id: id, class_date: '2026-03-02', present: true } },
      dojo.token,
    )
  await call(
    announcementsApi.send,
    { body: { title: 'Belt test', message: LONG_NEWS } },
    dojo.token,
  )
  return { classId: id, leo, mia, mother }
}

test('shows a mother her three children, what is owed, and the full news', async ({
  page,
  dojo,
  visit,
}) => {
  const { mia, mother } = await createFamily(dojo, () => true, { pays: true, sees_fees: true })
  await call(
    ledgerApi.charge,
    { body: { student_ids: [mia.id], kind: 'grading', amount: 15 } },
    dojo.token,
  )
  await signIn(page, mother)
  await visit('/dashboard')
  const children = page.getByRole('region', { name: 'Your children' })
  await expect(children.getByRole('radio')).toHaveCount(4)
  await expect(
    children.getByRole('article').first(),
    'who has a class today or tomorrow comes first',
  ).toContainText('Leo Diaz')
  await expect(children.getByRole('article', { name: 'Leo Diaz' })).toContainText(
    'Green belt, next is blue',
  )
  await expect(children.getByRole('article', { name: 'Leo Diaz' })).toContainText('$72.00 due')
  await expect(children.getByRole('article', { name: 'Leo Diaz' })).toContainText(
    'This month $72.00, 3rd of 3: −10%',
  )
  await expect(children.getByRole('article', { name: 'Ana Diaz' })).toContainText('$90.00 paid')
  const month = new Date().toLocaleDateString('en-US', { month: 'long', year: 'numeric' })
  const miaCard = children.getByRole('article', { name: 'Mia Diaz' })
  await expect(miaCard).toContainText('$135.00 due')
  await expect(miaCard).toContainText(`${month} $120.00, Belt test fee $15.00`)
  await expect(children.getByText('$207.00 due')).toBeVisible()
  await expect(page.getByText('Families are welcome.')).toBeVisible()
  await expectAllAccessible(page)
  await page.getByText('Mia', { exact: true }).click()
  await expect(children.getByRole('article')).toHaveCount(1)
  await expect(page).toHaveURL(new RegExp(`child=${mia.id}`))
  await page.reload()
  await expect(children.getByRole('article')).toHaveCount(1)
})

test(
  'lets a mother excuse a child, and shows her name on the roll',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const { classId, leo, mother } = await createFamily(dojo, isLeo)
    await signIn(page, mother)
    await visit('/dashboard')
    const card = page.getByRole('article', { name: 'Leo Diaz' })
    await expect(page.getByRole('radio')).toHaveCount(0)
    await expect(card.getByText(/\$[\d.]+ due/)).toBeHidden()
    await card.getByRole('button', { name: 'Can’t come (Leo)' }).click()
    await expect(card.getByText('Excused')).toBeVisible()
    const [excuse] = await call(excusesApi.list, { query: {} }, dojo.token)
    expect(excuse).toMatchObject({
      student_id: leo.id,
      source: 'guardian',
      created_by_name: 'Rosa Diaz',
    })
    await signIn(page, dojo)
    await visit(`/attendance?class=${classId}&date=${excuse!.class_date}`)
    await expect(attendanceDialog(page).getByText('Excused by Rosa Diaz')).toBeVisible()
  },
)

test(
  'shows guardians attendance, announcements and settings, but no instructor screens',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const { leo, mother } = await createFamily(dojo, () => true)
    await signIn(page, mother)
    await visit('/dashboard')
    await page.getByRole('link', { name: 'See all attendance of Leo' }).click()
    await expect(page).toHaveURL(new RegExp(`attendance\\?student=${leo.id}`))
    const records = page.getByRole('listitem').or(page.getByRole('row'))
    await expect(records.filter({ hasText: 'Leo Diaz' })).toHaveCount(1)
    await expect(records.filter({ hasText: 'Mia Diaz' })).toHaveCount(0)
    await page.getByLabel('Filter by child').selectOption('All children')
    await expect(records.filter({ hasText: 'Mia Diaz' })).toHaveCount(1)
    // Guardians cannot open a student's page.
    await expect(page.getByRole('link', { name: /Diaz/ })).toHaveCount(0)
    const main = page.getByRole('navigation', { name: 'Main' })
    await expect(main.getByRole('link')).toHaveText([
      /^Dashboard/,
      /^Attendance/,
      /^Mess/,
      /^Settings/,
    ])
    await main.getByRole('link', { name: /^Attendance/ }).click()
    await expect(page.getByText('Only instructors can mark attendance')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Back', exact: true })).toHaveCount(0)
    await expectAccessible(page)
    await main.getByRole('link', { name: /^Mess/ }).click()
    await expect(page.getByText('Families are welcome.')).toBeVisible()
    await expect(page.getByText('Access Denied')).toBeHidden()
    await expect(page.getByRole('button', { name: 'Write to the school' })).toBeVisible()
    await expectAccessible(page)
    await main.getByRole('link', { name: 'Settings' }).click()
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
    await visit('/students')
    await expect(page.getByRole('heading', { name: 'Welcome back, Rosa Diaz!' })).toBeVisible()
  },
)

test(
  'lets a guardian with the right to edit change a child’s contacts',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const { mother } = await createFamily(dojo, isLeo, { may_edit: true })
    await signIn(page, mother)
    await visit('/dashboard')
    await page.getByRole('button', { name: 'Change contacts for Leo' }).click()
    const form = page.getByRole('dialog', { name: 'Contacts for Leo Diaz' })
    await form.getByLabel('Emergency contact name').fill('Luis Diaz')
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Save Changes' }).click()
    await expect(form).toBeHidden()
    await page.getByRole('button', { name: 'Change contacts for Leo' }).click()
    await expect(form.getByLabel('Emergency contact name')).toHaveValue('Luis Diaz')
  },
)

test(
  'shows a guardian without children what to do',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await signIn(page, await createGuardian(dojo, []))
    await visit('/dashboard')
    await expect(
      page.getByText('No children yet. Ask your instructor to link you to them.'),
    ).toBeVisible()
    await expectAccessible(page)
  },
)

test('lets a mother write to the school and read the answer', async ({ page, dojo, visit }) => {
  const { mother } = await createFamily(dojo, isLeo)
  await signIn(page, mother)
  await visit('/dashboard')

  // The second level of the navigation is for instructors.
  await expect(page.getByRole('navigation', { name: 'Dashboard' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Write to the school' }).click()
  const form = page.getByRole('dialog', { name: 'Write to the school' })
  await expect(form).toContainText('Your school will reply by text to (512) 555-0177.')
  await expect(form).toContainText('Not your number? Ask your instructor.')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Send' }).click()
  await expect(form.getByText('Message is required')).toBeVisible()
  await form.getByLabel('Message').fill('Leo has a cold.')
  await form.getByRole('button', { name: 'Send' }).click()
  const sentDialog = page.getByRole('alertdialog', { name: 'Message sent' })
  await expectAccessible(page)
  await sentDialog.getByRole('button', { name: 'OK' }).click()

  await signIn(page, dojo)
  await visit('/messages')
  await expect(page.getByText('Leo has a cold.').first()).toBeVisible()
  const phone = encodeURIComponent('+15125550177')
  await call(
    conversationsApi.reply,
    { params: { phone }, body: { text: 'Get well soon.' } },
    dojo.token,
  )

  const countMessages = async () =>
    (await call(schoolMessagesApi.list, {}, mother.token)).messages.length
  await expect.poll(countMessages, { timeout: 20_000 }).toBe(2)

  await signIn(page, mother)
  await visit('/message-center')
  const ownMessages = page.getByRole('region', { name: 'Your messages' })
  await expect(ownMessages).toContainText('Leo has a cold.')
  await expect(ownMessages).toContainText('Get well soon.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Write to the school' }).click()
  await expect(form.getByText('Get well soon.')).toBeVisible()
  await expectAccessible(page)
})

test('shows a mother the receipts of all her payments', async ({ page, dojo, visit }) => {
  const { leo, mother } = await createFamily(dojo, isLeo, { pays: true, sees_fees: true })
  const { act_id } = await call(
    ledgerApi.pay,
    { body: { student_id: leo.id, amount: 50, method: 'cash' } },
    dojo.token,
  )
  const receipt = await call(receiptsApi.issue, { body: { act_id } }, dojo.token)
  await signIn(page, mother)
  await call(
    ledgerApi.pay,
    { body: { student_id: leo.id, amount: 20, method: 'cash' } },
    dojo.token,
  )
  await visit('/dashboard')
  await page.getByRole('link', { name: 'Receipts' }).click()
  await expect(page.getByText('For your payments.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Cash Count' })).toHaveCount(0)
  await expectAccessible(page)
  // The school has not issued this receipt, so opening it does.
  await page.getByRole('button', { name: /Get receipt.*\$20\.00/ }).click()
  await expect(page.getByRole('article', { name: /Receipt/ })).toContainText('$20.00')
  await page.getByRole('link', { name: 'All receipts' }).click()
  await expect(page.getByRole('button', { name: /Get receipt/ })).toHaveCount(0)
  await page.getByRole('link', { name: receipt.number }).click()
  await expect(
    page.getByRole('heading', { name: `Receipt ${receipt.number}` }).first(),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send by email' })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'All receipts' }).click()
  await expect(page.getByRole('link', { name: receipt.number })).toBeVisible()
})

test('takes a mother who follows an instructor’s link to her own page', async ({
  page,
  dojo,
  visit,
  layoutPath,
}) => {
  const { leo, mother } = await createFamily(dojo, (name) => !name.startsWith('Ana'), {
    pays: true,
    sees_fees: true,
  })
  await signIn(page, mother)
  await visit('/payment-center')
  await expect(page).toHaveURL(layoutPath || '/dashboard')
  const note = page.getByText(
    'That page is for instructors. Here’s your own page, with your children.',
  )
  await expect(note).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('main').getByRole('link', { name: 'Receipts' }).first().click()
  await expect(page).toHaveURL(`${layoutPath}/receipts`)
  await visit(`/students/${leo.id}`)
  await expect(note).toBeVisible()
  const children = page.getByRole('region', { name: 'Your children' })
  await expect(children.getByRole('heading', { name: 'Leo Diaz' })).toBeVisible()
  await expect(children.getByRole('heading', { name: 'Mia Diaz' })).toHaveCount(0)
  await page.getByRole('button', { name: 'OK', exact: true }).click()
  await expect(note).toHaveCount(0)
  await expect(children.getByRole('heading', { name: 'Mia Diaz' })).toBeVisible()
})

test('keeps a message to the school without a network and after a reload', async ({
  page,
  context,
  dojo,
  visit,
  allowErrors,
}) => {
  const { mother } = await createFamily(dojo, isLeo)
  await signIn(page, mother)
  await visit('/dashboard')
  await page.getByRole('button', { name: 'Write to the school' }).click()
  const form = page.getByRole('dialog', { name: 'Write to the school' })
  await form.getByLabel('Message').fill('Leo has a cold.')
  allowErrors(/ERR_INTERNET_DISCONNECTED/)
  await context.setOffline(true)
  await form.getByRole('button', { name: 'Send' }).click()
  await expect(form).toContainText('You are offline. Your message is kept.')
  await context.setOffline(false)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(form.getByLabel('Message')).toHaveValue('Leo has a cold.')
  await form.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('alertdialog', { name: 'Message sent' }).getByText('OK').click()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Write to the school' })).toBeVisible()
  await expect(form).toHaveCount(0)
})

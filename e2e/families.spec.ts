import type { Page } from '@playwright/test'
import { announcementsApi } from '@tatami/contract/messages/announcements'
import { familiesApi } from '@tatami/contract/families/families'
import { studentsApi } from '@tatami/contract/students/students'
import { call } from './api.ts'
import { type Dojo, uniqueEmail } from './dojo.ts'
import { createGuardian } from './families.ts'
import { expect, expectAccessible, expectAllAccessible, signIn, test } from './harness.ts'

const suggestions = (page: Page) => page.getByRole('region', { name: 'These look like one family' })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const readEmails = async (dojo: Dojo) =>
  Object.fromEntries(
    (await call(studentsApi.list, {}, dojo.token)).map(({ name, email }) => [name, email]),
  )

/** Creates two students with the same emergency contact, and a third with another one. */
async function createSiblings(dojo: Dojo) {
  const leo = await dojo.createStudent({
    name: 'Leo Diaz',
    email: uniqueEmail('leo'),
    date_of_birth: '2018-03-01',
    phone_number: '512 555 0177',
  })
  const mia = await dojo.createStudent({
    name: 'Mia Diaz',
    email: uniqueEmail('mia'),
    date_of_birth: '2018-03-01',
    phone_number: '512 555 0178',
  })
  await dojo.createStudent({
    name: 'Ken Adams',
    phone_number: '512 555 0100',
    emergency_contact_name: 'Ann Adams',
    emergency_contact_phone: '512 555 0101',
  })
  return { leo, mia }
}

test('makes two students a family, shows what changes, and undoes it', async ({
  page,
  dojo,
  visit,
}) => {
  const { leo, mia } = await createSiblings(dojo)
  await signIn(page, dojo)
  await visit('/students')
  await page.getByRole('link', { name: 'Families' }).click()
  await expect(page.getByText('No families yet.')).toBeVisible()
  await expect(suggestions(page)).toContainText('Leo Diaz and Mia Diaz')
  await expect(suggestions(page)).toContainText('the same emergency phone')
  await expectAllAccessible(page)
  await suggestions(page)
    .getByRole('button', { name: 'Create a family: Leo Diaz and Mia Diaz' })
    .click()
  const form = dialog(page, 'Create a family')
  await form.getByLabel('Guardian’s name').fill('Rosa Diaz')
  await form.getByLabel('Guardian’s phone number').fill('512 555 0177')
  await form.getByLabel('Login for Leo Diaz').selectOption({ label: 'Give it to the guardian' })
  await form.getByLabel('Login for Mia Diaz').selectOption({ label: 'Close it' })
  await expect(form.getByRole('row', { name: /Texts per message to everyone/ })).toContainText(
    /2 texts.*1 text/,
  )
  await expect(
    form.getByText('The login of Mia Diaz ends when the guardian logs in for the first time.'),
  ).toBeVisible()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Create this family' }).click()
  const rosaDialog = dialog(page, 'Rosa Diaz')
  await expect(rosaDialog.getByText(`Logs in as ${leo.email}`)).toBeVisible()
  await expect(rosaDialog.getByLabel('Pays for Leo')).toBeChecked()
  await expectAccessible(page)
  await rosaDialog.getByRole('button', { name: 'Done' }).click()
  await expect(suggestions(page)).toBeHidden()
  expect(await readEmails(dojo)).toMatchObject({ 'Leo Diaz': null })
  await page.getByRole('button', { name: 'Undo the family of Rosa Diaz' }).click()
  const question = page.getByRole('alertdialog', { name: 'Undo the family of Rosa Diaz?' })
  await expect(question).toContainText(
    'Rosa Diaz will be deleted, with the conversation and consents of (512) 555-0177',
  )
  await question.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText('No families yet.')).toBeVisible()
  expect(await readEmails(dojo)).toMatchObject({ 'Leo Diaz': leo.email, 'Mia Diaz': mia.email })
})

test(
  'does not suggest students again after "Not a family"',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await createSiblings(dojo)
    await signIn(page, dojo)
    await visit('/families')
    await suggestions(page)
      .getByRole('button', { name: 'Not a family: Leo Diaz and Mia Diaz' })
      .click()
    await expect(suggestions(page)).toBeHidden()
    await page.reload()
    await expect(page.getByText('No families yet.')).toBeVisible()
    await expect(suggestions(page)).toBeHidden()
  },
)

test(
  'switches a guardian’s rights, which are saved immediately, and removes a link',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const leo = await dojo.createStudent({ name: 'Leo Diaz' })
    const mia = await dojo.createStudent({ name: 'Mia Diaz', email: uniqueEmail('mia') })
    const rosa = await createGuardian(dojo, [leo, mia])
    await signIn(page, dojo)
    await visit('/families')
    await page.getByRole('button', { name: 'Rosa Diaz' }).click()
    const leoSettings = dialog(page, 'Rosa Diaz').getByRole('region', { name: 'Leo Diaz' })
    const readLinks = async () =>
      (await call(familiesApi.list, {}, dojo.token)).guardians.find(({ id }) => id === rosa.id)!
        .students
    const readRights = async () => {
      const { sees, sees_fees, pays, gets_texts, may_edit, picks_up } = (await readLinks())[0]!
      return [sees, sees_fees, pays, gets_texts, may_edit, picks_up]
    }
    // Several changes without waiting: all are saved, and the last switch keeps the focus.
    const rightsBefore = await readRights()
    const switches = leoSettings.getByRole('switch')
    for (const [index, isOn] of rightsBefore.entries()) await switches.nth(index).setChecked(!isOn)
    await expect.poll(readRights).toEqual(rightsBefore.map((isOn) => !isOn))
    await expect(switches.nth(5)).toBeFocused()
    await leoSettings.getByLabel('In an emergency').selectOption('First')
    await leoSettings.getByLabel('Note', { exact: true }).fill('Father may not pick up')
    await page.keyboard.press('Escape')
    await page
      .getByRole('alertdialog', { name: 'Discard what you typed?' })
      .getByRole('button', { name: 'Keep editing' })
      .click()
    await leoSettings.getByRole('button', { name: 'Save note' }).click()
    await expect.poll(readLinks).toMatchObject([
      {
        student_name: 'Leo Diaz',
        sees_fees: true,
        emergency_rank: 1,
        note: 'Father may not pick up',
      },
      {},
    ])
    await leoSettings.getByRole('button', { name: 'Remove link to Leo' }).click()
    await page
      .getByRole('alertdialog', { name: 'Remove the link to Leo Diaz?' })
      .getByRole('button', { name: 'Remove link' })
      .click()
    await expect(leoSettings).toBeHidden()
    await expect.poll(readLinks).toMatchObject([{ student_name: 'Mia Diaz' }])
  },
)

test(
  'confirms before a switch removes notices',
  { tag: '@both' },
  async ({ page, dojo, visit }) => {
    const leo = await dojo.createStudent({ name: 'Leo Diaz' })
    const rosa = await createGuardian(dojo, [leo], { sees_fees: true })
    const send = (title: string, category: string) =>
      call(
        announcementsApi.send,
        { body: { title, message: 'This is for {name}.', category, student_ids: [leo.id] } },
        dojo.token,
      )
    const readNotices = async () =>
      (await call(announcementsApi.list, { query: {} }, rosa.token)).map(({ title }) => title)
    await send('Camp', 'general')
    await send('Fees', 'fee')
    await send('More fees', 'fee')
    await signIn(page, dojo)
    await visit('/families')
    await page.getByRole('button', { name: 'Rosa Diaz' }).click()
    const leoSettings = dialog(page, 'Rosa Diaz').getByRole('region', { name: 'Leo Diaz' })
    const seesFees = leoSettings.getByRole('switch', { name: 'Sees what is paid and owed' })
    await seesFees.click()
    const feesQuestion = page.getByRole('alertdialog', {
      name: 'Hide Leo’s messages about fees from Rosa Diaz?',
    })
    await expect(feesQuestion).toContainText(
      'Rosa Diaz will no longer see Leo’s messages about fees. 2 notices will be removed for good.',
    )
    await expectAccessible(page)
    await feesQuestion.getByRole('button', { name: 'Cancel' }).click()
    await expect(feesQuestion).toBeHidden()
    await expect(seesFees).toBeChecked()
    expect(await readNotices()).toEqual(['More fees', 'Fees', 'Camp'])
    await seesFees.click()
    await feesQuestion.getByRole('button', { name: 'Remove' }).click()
    await expect(seesFees).not.toBeChecked()
    await expect.poll(readNotices).toEqual(['Camp'])
    // The guardian already does not see fees, so there is no question.
    await seesFees.setChecked(true)
    await seesFees.setChecked(false)
    await expect(seesFees).toBeEnabled()
    await leoSettings.getByRole('switch', { name: 'Sees Leo’s page' }).click()
    const pageQuestion = page.getByRole('alertdialog', {
      name: 'Hide Leo’s page from Rosa Diaz?',
    })
    await expect(pageQuestion).toContainText('1 notice will be removed for good.')
    await pageQuestion.getByRole('button', { name: 'Cancel' }).click()
    await leoSettings.getByRole('button', { name: 'Remove link to Leo' }).click()
    await expect(
      page.getByRole('alertdialog', { name: 'Remove the link to Leo Diaz?' }),
    ).toContainText('1 notice will be removed for good.')
  },
)

test(
  'shows separated parents their child, but nothing about each other',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const leo = await dojo.createStudent({ name: 'Leo Diaz', monthly_payment_amount: 80 })
    const mia = await dojo.createStudent({ name: 'Mia Diaz', email: uniqueEmail('mia') })
    const rosa = await createGuardian(dojo, [leo, mia], { pays: true, sees_fees: true })
    const ben = await createGuardian(dojo, [leo], { relation: 'father' }, 'Ben Cruz')
    await signIn(page, dojo)
    await visit(`/students/${leo.id}`)
    await expect(page.getByText('Mother: pays, gets texts, sees the page')).toBeVisible()
    await expect(page.getByText('Father: gets texts, sees the page')).toBeVisible()
    const child = page.getByRole('article', { name: 'Leo Diaz' })
    await signIn(page, ben)
    await visit('/dashboard')
    await expect(child).toBeVisible()
    await expect(page.getByText(/\$[\d.]+ due/)).toHaveCount(0)
    for (const word of ['Rosa', 'Mia']) await expect(page.getByText(word)).toHaveCount(0)
    await signIn(page, rosa)
    await visit('/dashboard')
    await expect(child).toContainText('$80.00 due')
    await expect(page.getByText('Ben')).toHaveCount(0)
    // The father becomes the payer. The mother is not notified, and both still see the child.
    await call(
      familiesApi.link,
      { params: { id: ben.id, studentId: leo.id }, body: { pays: true, sees_fees: true } },
      dojo.token,
    )
    await visit('/dashboard')
    await expect(child).toBeVisible()
    await expect(page.getByText('Ben')).toHaveCount(0)
    await signIn(page, ben)
    await visit('/dashboard')
    await expect(child).toContainText('$80.00 due')
  },
)

test(
  'finds and links a guardian, and deletes the guardian with the last child',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const leo = await dojo.createStudent({ name: 'Leo Diaz', phone_number: '1' })
    const mia = await dojo.createStudent({ name: 'Mia Diaz', email: uniqueEmail('mia') })
    const rosa = await createGuardian(dojo, [mia])
    const guardians = async () => (await call(familiesApi.list, {}, dojo.token)).guardians
    await signIn(page, dojo)
    await visit(`/students/${leo.id}`)
    await expect(page.getByText('No valid phone number')).toBeVisible()
    await page.getByRole('button', { name: 'Link a guardian' }).click()
    await expect(
      page.getByRole('searchbox', { name: 'Link a guardian of another student' }),
    ).toBeFocused()
    await page.keyboard.type('rosa')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Rosa Diaz Mia Diaz/ }).click()
    await expect(
      page.getByText('Rosa Diaz will see Leo Diaz’s page and get texts about them.'),
    ).toBeVisible()
    expect(await guardians()).toMatchObject([{ students: [{ student_id: mia.id }] }])
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Link Rosa Diaz' }).click()
    await expect(page.getByText('sees the page')).toBeVisible()
    await expect(page.getByText('Rosa’s phone gets texts')).toBeVisible()
    expect((await guardians())[0]!.students).toHaveLength(2)
    await call(familiesApi.unlink, { params: { id: rosa.id, studentId: mia.id } }, dojo.token)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await dialog(page, 'Edit Student').getByRole('button', { name: 'Delete Student' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete Leo Diaz?' })
    await question.getByLabel('Also delete Rosa Diaz').check()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Delete Student' }).click()
    await expect(question).toBeHidden()
    await expect.poll(guardians).toEqual([])
  },
)

test(
  'returns to the searched list on Back, without reopening a guardian',
  { tag: '@long' },
  async ({ page, dojo, visit, layoutPath }) => {
    await createGuardian(dojo, [await dojo.createStudent({ name: 'Leo Diaz' })])
    await dojo.createStudent({ name: 'Zoë Müller', email: uniqueEmail('zoe') })
    const SEARCH_URL = `${layoutPath}/students?search=leo&filter=regular`
    await signIn(page, dojo)
    await visit('/students?search=leo&filter=regular')
    await page.getByRole('link', { name: 'Families' }).click()
    await page.getByRole('button', { name: 'Rosa Diaz' }).click()
    await dialog(page, 'Rosa Diaz').getByRole('button', { name: 'Done' }).click()
    await expect(dialog(page, 'Rosa Diaz')).toBeHidden()
    await page.goBack()
    await expect(page).toHaveURL(SEARCH_URL)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.getByRole('link', { name: 'Families' }).click()
    await page.getByRole('button', { name: 'Create a family', exact: true }).click()
    const form = dialog(page, 'Create a family')
    await form.getByLabel('Guardian’s name').fill('Eva Müller')
    await form.getByRole('searchbox', { name: 'Find students' }).fill('zoe mul')
    await form.getByLabel('Zoë Müller').first().check()
    await form.getByRole('searchbox', { name: 'Find students' }).press('Enter')
    await expect(form.getByRole('button', { name: 'Create this family' })).toBeVisible()
    expect((await call(familiesApi.list, {}, dojo.token)).guardians).toHaveLength(1)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.goBack()
    await expect(page).toHaveURL(SEARCH_URL)
    await visit('/students?view=families')
    await expect(page).toHaveURL(`${layoutPath}/families`)
  },
)

test(
  'enrolls a student without an email into a family',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const { id } = await dojo.createClass()
    const rosa = await createGuardian(dojo, [
      await dojo.createStudent({ name: 'Mia Diaz', enrolled_classes: [id] }),
    ])
    await signIn(page, dojo)
    await visit('/students')
    await page.getByRole('button', { name: 'Enroll New Student' }).first().click()
    const form = dialog(page, 'Enroll New Student')
    const field = (label: string) => form.getByLabel(new RegExp(`^${label}( \\*)?$`))
    await form.getByRole('radio', { name: 'Child' }).check()
    await expect(field('Email')).toBeHidden()
    await field('Name').fill('Leo Diaz')
    await field('Date of birth').fill('2017-03-01')
    await field('Guardian’s name').fill('ros')
    await form.getByRole('button', { name: 'Rosa Diaz' }).click()
    await expect(form.getByRole('button', { name: 'Change guardian' })).toBeFocused()
    await expect(form.getByRole('checkbox', { name: 'Same as guardian' })).toBeChecked()
    await expect(field('Emergency contact phone')).toBeHidden()
    await form.getByLabel('Little Dragons').check()
    await field('Monthly payment amount').fill('80')
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Enroll Student' }).click()
    await expect(page.getByText('They have no login.')).toBeVisible()
    const leo = (await call(studentsApi.list, {}, dojo.token)).find(
      ({ name }) => name === 'Leo Diaz',
    )
    expect(leo).toMatchObject({
      email: null,
      phone_number: null,
      emergency_contact_name: 'Rosa Diaz',
      emergency_contact_phone: '512 555 0177',
      guardians: [{ id: rosa.id, pays: true, relation: 'mother' }],
    })
    // The form for the next student does not assume a sibling, unless the instructor asked for one.
    const enrolledDialog = page.getByRole('alertdialog', { name: 'Student Enrolled' })
    await enrolledDialog.getByRole('button', { name: 'Another child of Rosa Diaz' }).click()
    await expect(form.getByText('(512) 555-0177 · Leo Diaz, Mia Diaz')).toBeVisible()
    await field('Name').fill('Ana Diaz')
    await field('Date of birth').fill('2018-03-01')
    await form.getByRole('button', { name: 'Enroll Student' }).click()
    await enrolledDialog.getByRole('button', { name: 'Enroll Another' }).click()
    await expect(form.getByRole('radio', { name: 'Child' })).toBeChecked()
    await expect(field('Guardian’s name')).toHaveValue('')
  },
)

test(
  'shows which of two quickly pressed switches was refused',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/409/)
    const leo = await dojo.createStudent({ name: 'Leo Diaz' })
    const students = [{ student_id: leo.id }]
    await call(
      familiesApi.createGuardian,
      { body: { name: 'Rosa Diaz', phone: '512 555 0177', students } },
      dojo.token,
    )
    await signIn(page, dojo)
    await visit('/families')
    await page.getByRole('button', { name: 'Rosa Diaz' }).click()
    await page.route('**/api/guardians/*/students/*', async (route) =>
      'picks_up' in route.request().postDataJSON()
        ? await route.fulfill({ status: 409, json: { detail: 'Somebody else has changed this.' } })
        : await route.continue(),
    )
    const rosaDialog = dialog(page, 'Rosa Diaz')
    await rosaDialog.getByRole('switch', { name: 'Picks Leo up' }).press('Space')
    await rosaDialog.getByRole('switch', { name: 'Changes Leo’s contacts' }).press('Space')
    await expect(rosaDialog.getByRole('alert')).toHaveText('Somebody else has changed this.')
    await expect(rosaDialog.getByRole('switch', { name: 'Picks Leo up' })).not.toBeChecked()
    await expect(rosaDialog.getByRole('switch', { name: 'Changes Leo’s contacts' })).toBeChecked()
    await expect(rosaDialog.getByRole('alert')).toHaveText('Somebody else has changed this.')
  },
)

import type { Page, Request } from '@playwright/test'
import { gradingsApi } from '@tatami/contract/gradings/gradings'
import { readinessApi } from '@tatami/contract/belts/readiness'
import { sql } from 'drizzle-orm'
import { call } from './api.ts'
import { createGuardian } from './families.ts'
import { dayAhead } from './days.ts'
import { createGrading, prepareLadder } from './gradings.ts'
import { expect, expectAccessible, expectAllAccessible, signIn, test } from './harness.ts'
import { countStored, readAllStorage } from './phone.ts'

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const tapResult = (page: Page, name: string, result: string) =>
  page
    .getByRole('group', { name, exact: true })
    .getByRole('button', { name: result, exact: true })
    .click()
const expectResult = (page: Page, name: string, result: string) =>
  expect(
    page.getByRole('group', { name, exact: true }).getByRole('button', { pressed: true }),
  ).toHaveText(result)

test('plans a belt test with ready students, invites them, and shows their answers', async ({
  page,
  dojo,
  visit,
}) => {
  await prepareLadder(dojo)
  const ken = await dojo.createStudent({ name: 'Ken Adams', belt_level: 'white', belt_size: '2' })
  await dojo.createStudent({ name: 'Mia Brown', belt_level: 'white' })
  await dojo.createStudent({ name: 'Leo Diaz', belt_level: 'yellow' })
  await dojo.createStudent({ name: 'Ana Ito', belt_level: 'black' })
  await signIn(page, dojo)
  await visit('/gradings')
  await expect(page.getByText('No belt tests yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Plan a belt test' }).click()
  const plan = dialogOf(page, 'Plan a belt test')
  await plan.getByLabel('Date').fill('2027-03-06')
  await expect(plan.getByLabel(/^Name/)).toHaveValue('March belt test')
  await plan.getByLabel('Place').fill('Main hall')
  await plan.getByLabel('Fee').fill('40')
  const decideRegion = plan.getByRole('region', { name: 'You decide 2' })
  for (const name of ['Ken Adams', 'Mia Brown']) await decideRegion.getByLabel(name).check()
  await expect(plan.getByRole('region', { name: 'One or two classes short 1' })).toContainText(
    'missing 2 classes',
  )
  await expectAccessible(page)
  await plan.getByRole('button', { name: 'Text Leo Diaz' }).click()
  const textDialog = dialogOf(page, 'Text Leo Diaz')
  await expect(textDialog).toContainText(
    'Reads: Hi Leo, two more classes before March 6 and you’re ready for the belt test.',
  )
  await textDialog.getByRole('button', { name: 'Cancel' }).click()
  await plan.getByLabel('Add someone else').fill('leo')
  await plan.getByRole('button', { name: /^Leo Diaz.*Add$/ }).click()
  await plan.getByLabel('Mia Brown tests for').selectOption('Orange')
  await plan.getByRole('button', { name: 'Plan with 3 candidates' }).click()
  await expect(page.getByRole('heading', { name: 'March belt test' })).toBeVisible()
  await expect(page.getByRole('region', { name: /^Orange/ })).toContainText('Mia Brown')
  await expectAllAccessible(page)

  await page.getByRole('button', { name: /^Mia Brown/ }).click()
  const miaDialog = dialogOf(page, 'Mia Brown')
  await miaDialog.getByRole('button', { name: 'Waive the fee' }).click()
  await expect(miaDialog).toContainText('Fee: fee waived')
  await miaDialog.getByRole('button', { name: 'Not coming' }).click()
  await expect(miaDialog.getByRole('button', { name: 'Not coming', pressed: true })).toBeVisible()
  await expectAccessible(page)
  await miaDialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Invite 2 more' }).click()
  const inviteDialog = dialogOf(page, 'Invite 2 students')
  await expect(inviteDialog).toContainText('Goes out as 2 texts, one per phone')
  await expect(inviteDialog).toContainText(
    'Reads: Hi Ken, you’re invited to the belt test on Saturday, March 6, Main hall. It costs $40.00.',
  )
  await expectAccessible(page)
  await inviteDialog.getByRole('button', { name: 'Invite 2' }).click()
  await expect(page.getByText('2 invited, 2 texts on the way.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Ken Adams/ })).toContainText('No answer')
  await page.getByRole('tab', { name: 'Belts' }).click()
  await expect(page.getByRole('list', { name: 'Sizes, yellow belt' })).toHaveText('1 × size 2')
  await expectAccessible(page)

  const student = await dojo.createSession(ken)
  await signIn(page, student)
  await visit('/dashboard')
  const invitation = page.getByRole('region', { name: 'March belt test' })
  await expect(invitation).toContainText('You’re invited to the belt test for Yellow')
  await expect(invitation).toContainText('Saturday, March 6 · Main hall')
  await invitation.getByRole('button', { name: 'I’m coming' }).click()
  await expect(invitation.getByText('You are coming')).toBeVisible()
  // The tabs must not cover part of the footer.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expectAccessible(page)
  await page.reload()
  await expect(invitation.getByText('You are coming')).toBeVisible()

  const [grading] = await call(gradingsApi.list, {}, dojo.token)
  expect(grading!.counts).toEqual({
    candidates: 3,
    invited: 2,
    yes: 1,
    no: 1,
    unanswered: 1,
    passed: 0,
  })
})

test('asks a guardian about each child, and only if there is a belt test', async ({
  page,
  dojo,
  visit,
}) => {
  const { grading, ken, mia } = await createGrading(dojo, dayAhead(14))
  const student_ids = [ken.id, mia.id]
  await call(
    gradingsApi.invite,
    { params: { id: grading.id }, body: { student_ids, text: null } },
    dojo.token,
  )
  await signIn(page, await createGuardian(dojo, [ken, mia]))
  await visit('/dashboard')
  const card = page.getByRole('region', { name: 'Winter grading, Ken Adams and Mia Brown' })
  await card.getByRole('button', { name: 'Can’t come (Mia)' }).click()
  // Otherwise Mia's answer could be saved last, and its button would get the focus.
  await expect(card.getByRole('button', { name: 'Change (Mia)' })).toBeFocused()
  await card.getByRole('button', { name: 'Ken is coming' }).click()
  await expect(card).toContainText('Ken and Mia are invited to the belt test')
  await expect(card.getByRole('status')).toHaveText(['Ken is coming', 'Mia is not coming'])
  await expectAccessible(page)
  await expect(card.getByRole('button', { name: 'Change (Ken)' })).toBeFocused()
  await card.getByRole('button', { name: 'Change (Mia)' }).click()
  await card.getByRole('button', { name: 'Can’t come (Mia)', pressed: true }).click()
  await expect(card.getByText('Mia is not coming')).toBeVisible()
  const readAnswers = async () =>
    (await call(gradingsApi.show, { params: { id: grading.id } }, dojo.token)).candidates.map(
      ({ name, answer }) => `${name} ${answer}`,
    )
  await expect.poll(readAnswers).toEqual(['Ken Adams yes', 'Leo Diaz none', 'Mia Brown no'])
  await signIn(page, await dojo.createSession(await dojo.createStudent({ name: 'Eva Stays' })))
  await visit('/dashboard')
  await expect(page.getByText('My Attendance History')).toBeVisible()
  await expect(page.getByText('invited to the belt test')).toHaveCount(0)
})

test('records results offline and through a reload, sends each once, and finishes once', async ({
  page,
  context,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
  const { grading, ken, leo, mia } = await createGrading(dojo)
  await signIn(page, dojo)
  await visit(`/gradings/${grading.id}`)
  await tapResult(page, 'Ken Adams', 'Pass')
  await expect(page.getByText('1 of 3 recorded')).toBeVisible()
  const readResults = async () =>
    (await call(gradingsApi.show, { params: { id: grading.id } }, dojo.token)).candidates.map(
      ({ result }) => result,
    )
  await expect.poll(readResults).toEqual(['pass', null, null])
  await context.setOffline(true)
  await tapResult(page, 'Leo Diaz', 'Fail')
  await tapResult(page, 'Mia Brown', 'Partial')
  await expect(page.getByText('2 waiting for network')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Finish' })).toBeDisabled()
  expect(await countStored(page, 'marks')).toBe(2)
  // The app can be loaded, but its data cannot.
  await page.route('**/api/gradings/**', (route) => route.abort())
  await context.setOffline(false)
  await page.reload()
  await expect(
    page.getByText('No network. This is the belt test as last saved on this device.'),
  ).toBeVisible()
  await expect(page.getByText('2 waiting for network')).toBeVisible()
  await expectResult(page, 'Leo Diaz', 'Fail')
  await expectResult(page, 'Mia Brown', 'Partial')
  await expectAllAccessible(page)
  const sentResults: string[] = []
  page.on('requestfinished', (request: Request) => {
    if (request.method() !== 'PUT') return
    const body = request.postDataJSON() as { results: { student_id: string; result: string }[] }
    sentResults.push(...body.results.map(({ student_id, result }) => `${student_id} ${result}`))
  })
  await page.unrouteAll()
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect.poll(readResults).toEqual(['pass', 'fail', 'partial'])
  await expect(page.getByText('waiting for network')).toHaveCount(0)
  await expect
    .poll(() => sentResults.toSorted())
    .toEqual([`${leo.id} fail`, `${mia.id} partial`].toSorted())
  await expect.poll(() => countStored(page, 'marks')).toBe(0)

  await page.getByRole('button', { name: 'Finish' }).click()
  const finishDialog = page.getByRole('alertdialog', { name: 'Finish Winter grading?' })
  await expect(finishDialog).toContainText(
    '1 is promoted, 1 gets a stripe, 1 stays at their current rank.',
  )
  await expectAccessible(page)
  await finishDialog.getByRole('button', { name: 'Finish' }).dblclick()
  await expect(
    page.getByText('1 was promoted, 1 got a stripe, 1 stayed at their rank.'),
  ).toBeVisible()
  expect(sentResults).toHaveLength(2)
  await call(gradingsApi.finish, { params: { id: grading.id } }, dojo.token)
  const { styles } = await call(readinessApi.ofStudent, { params: { id: ken.id } }, dojo.token)
  expect(
    styles[0]!.history.filter(({ kind }) => kind === 'promotion').map(({ rank }) => rank.name),
  ).toEqual(['Yellow'])
  await expectAllAccessible(page)
  for (const name of ['Download 1 certificate', 'Certificate for Ken Adams']) {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name }).click()
    expect((await download).suggestedFilename()).toMatch(/\.pdf$/)
  }
  await expect.poll(() => readAllStorage(page)).not.toContain('Leo Diaz')

  const codes = await dojo.inDatabase((tx) =>
    tx.execute<{ code: string }>(sql`select code from certificates`),
  )
  // Anyone can check a certificate without a login.
  await signIn(page, { token: '' })
  await page.goto(`/certificate/${codes.rows[0]!.code}`)
  await expect(page.getByRole('main')).toContainText(/Valid.*Yellow.*Given on.*Number\d{4}-\d+$/)
  await expect(page.getByRole('main')).not.toContainText('Ken')
  await expectAccessible(page)
})

test('confirms a logout that loses results, and then deletes the stored data', async ({
  page,
  context,
  dojo,
  visit,
  isDesktop,
  allowErrors,
}) => {
  allowErrors(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
  const { grading } = await createGrading(dojo)
  await signIn(page, dojo)
  await visit(`/gradings/${grading.id}`)
  await expect(page.getByText('0 of 3 recorded')).toBeVisible()
  await page.route('**/api/gradings/**', (route) => route.abort())
  await tapResult(page, 'Ken Adams', 'Pass')
  await expect(page.getByText('1 waiting for network')).toBeVisible()
  await expect.poll(() => readAllStorage(page)).toContain('Leo Diaz')
  if (!isDesktop) await page.getByRole('button', { name: 'Account' }).click()
  page.once('dialog', (dialog) => void dialog.accept())
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await expect.poll(() => readAllStorage(page)).not.toMatch(/Leo Diaz|device:|grading_id/)
  await context.setOffline(false)
})

test('changes and removes a belt test', { tag: '@long' }, async ({ page, dojo, visit }) => {
  const { grading } = await createGrading(dojo, dayAhead(14))
  await dojo.createStudent({ name: 'Eva Late', belt_level: 'white' })
  await signIn(page, dojo)
  await visit(`/gradings/${grading.id}`)
  await page.getByRole('button', { name: 'Add candidates' }).click()
  const addDialog = dialogOf(page, 'Add candidates')
  await expect(addDialog).not.toContainText('Ken Adams')
  await expectAccessible(page)
  await addDialog.getByRole('checkbox', { name: 'Eva Late' }).check()
  await addDialog.getByRole('button', { name: 'Add 1 candidate' }).click()
  await expect(page.getByText('4 candidates, 4 haven’t answered')).toBeVisible()
  await page.getByRole('tab', { name: 'Test day' }).click()
  await expect(page.getByText('0 of 4 recorded')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Finish' })).toBeHidden()
  await page.getByRole('tab', { name: 'Students' }).click()
  await page.getByRole('button', { name: 'Change' }).click()
  const changeDialog = dialogOf(page, 'Change belt test')
  await changeDialog.getByLabel('Place').fill('Town hall')
  await expectAccessible(page)
  await changeDialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/6:00 PM · Town hall$/)).toBeVisible()
  await page.getByRole('button', { name: 'Change' }).click()
  await changeDialog.getByRole('button', { name: 'Remove' }).click()
  const question = page.getByRole('alertdialog', { name: 'Remove Winter grading?' })
  await expect(question).toContainText('This also removes 4 candidates')
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No belt tests yet.')).toBeVisible()
})

import type { Page } from '@playwright/test'
import { WEEKDAYS } from '@tatami/contract/classes'
import { expect, sampleOf, signIn, test, warningsOf } from './harness.ts'
import { createClassOf, dialogOf, expectMark, savedMarks, routeMarks, studentGroup, tapMark } from './attendance-dialog.ts'

test('keeps a failed mark, shown as not saved, until it is retried', async ({ page, dojo, visit, allowErrors }) => {
  allowErrors(/ERR_FAILED/)
  const { id } = await createClassOf(dojo, 'Ken Adams', 'Mia Chen')
  await signIn(page, dojo)
  await visit(`/attendance?class=${id}`)
  await tapMark(page, 'Mia Chen', 'Present')
  await expect.poll(() => savedMarks(dojo)).toEqual(['Mia Chen true'])
  await routeMarks(page, (route) => route.abort())
  const logged = warningsOf(page)
  await tapMark(page, 'Mia Chen', 'Absent')
  await tapMark(page, 'Ken Adams', 'Present')
  await expect(dialogOf(page).getByRole('button', { name: 'Mia Chen Not saved: no answer. Try again' })).toBeVisible()
  await expectMark(page, 'Mia Chen', 'Absent')
  await expectMark(page, 'Ken Adams', 'Present')
  for (const name of ['Mia Chen', 'Ken Adams']) await expect(studentGroup(page, name)).toHaveAccessibleDescription(/^Not saved: no answer/)
  await expect(dialogOf(page).getByText('2 of 2 marked, 1 present, 2 not saved')).toBeVisible()
  const tried = page.waitForEvent('requestfailed', (request) => request.method() === 'PUT')
  await dialogOf(page).getByRole('button', { name: 'Try all again' }).click()
  await tried
  await expect(dialogOf(page).getByText('2 of 2 marked, 1 present, 2 not saved')).toBeVisible()
  expect(logged).toEqual(['POST /attendance failed: no answer', 'POST /attendance failed: no answer'])
  await dialogOf(page).getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('alert')).toContainText('Not saved: 2 marks (Ken Adams, Mia Chen).')

  await page.unrouteAll()
  await page.getByRole('button', { name: /^Little Dragons/ }).click()
  await dialogOf(page)
    .getByRole('button', { name: /^Mia Chen.*Try again/ })
    .click()
  await expectMark(page, 'Mia Chen', 'Absent')
  await dialogOf(page)
    .getByRole('button', { name: /^Ken Adams.*Try again/ })
    .click()
  await expect(dialogOf(page).getByText('2 of 2 marked, 1 present')).toBeVisible()
  await expect.poll(() => savedMarks(dojo)).toEqual(['Ken Adams true', 'Mia Chen false'])
})

for (const [how, back] of sampleOf([
  ['when the browser is back online', (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('online')))],
  ['after a while', (page: Page) => page.clock.fastForward(10_100)],
] as const)) {
  test(`a tap that failed goes out again by itself ${how}, from any screen; leaving warns until then`, async ({
    page,
    dojo,
    visit,
    allowErrors,
    layoutPath,
  }) => {
    allowErrors(/ERR_FAILED/)
    const { id } = await createClassOf(dojo, 'Ken Adams')
    await signIn(page, dojo)
    await page.clock.install()
    await visit(`/attendance?class=${id}`)
    await routeMarks(page, (route) => route.abort())
    await tapMark(page, 'Ken Adams', 'Absent')
    await expect(dialogOf(page).getByText('1 of 1 marked, 0 present, 1 not saved')).toBeVisible()
    await dialogOf(page).getByRole('button', { name: 'Done' }).click()
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: /Dashboard/ })
      .click()
    await expect(page.getByRole('alert')).toContainText('Not saved: 1 mark (Ken Adams).')
    await expect(page).toHaveURL(layoutPath || /dashboard/)
    const asked = page.waitForEvent('dialog')
    void page.reload().catch(() => {})
    const warning = await asked
    expect(warning.type()).toBe('beforeunload')
    await warning.dismiss()
    await page.unrouteAll()
    await back(page)
    await expect.poll(() => savedMarks(dojo)).toEqual(['Ken Adams false'])
    await expect(page.getByRole('alert')).toHaveCount(0)
  })
}

test(
  'asks before a logout that would lose a mark, and stays signed in on Cancel',
  { tag: '@long' },
  async ({ page, dojo, visit, layoutPath, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    const { id } = await createClassOf(dojo, 'Ken Adams')
    await signIn(page, dojo)
    await visit(`/attendance?class=${id}`)
    await routeMarks(page, (route) => route.abort())
    await tapMark(page, 'Ken Adams', 'Absent')
    await dialogOf(page).getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('alert')).toContainText('Not saved: 1 mark (Ken Adams).')
    const questions: string[] = []
    const logOut = async (answer: 'accept' | 'dismiss') => {
      page.once('dialog', (dialog) => {
        questions.push(`${dialog.type()}: ${dialog.message()}`)
        void dialog[answer]()
      })
      await page.getByRole('button', { name: 'Logout' }).click()
    }
    if (!layoutPath) await page.getByRole('button', { name: 'Account' }).click()
    await logOut('dismiss')
    await expect(page.getByRole('button', { name: 'Logout' })).toBeEnabled()
    expect(await savedMarks(dojo)).toEqual([])
    await logOut('accept')
    await expect(page).toHaveURL('/')
    expect(questions).toEqual(Array(2).fill('confirm: Some changes are not saved yet. Log out and lose them?'))
  },
)

test('saves the last of several quick marks, whatever the first answer', { tag: '@long' }, async ({ page, dojo, visit, allowErrors }) => {
  allowErrors(/ERR_FAILED/)
  const { id } = await createClassOf(dojo, 'Ken Adams')
  await signIn(page, dojo)
  await visit(`/attendance?class=${id}`)
  let answerFirst = () => {}
  const held = new Promise<void>((resolve) => {
    answerFirst = resolve
  })
  let isFirst = true
  await routeMarks(page, async (route) => {
    if (!isFirst) return route.fallback()
    isFirst = false
    await held
    return route.abort()
  })
  for (const mark of ['Present', 'Absent', 'Present', 'Absent'] as const) await tapMark(page, 'Ken Adams', mark)
  await expectMark(page, 'Ken Adams', 'Absent')
  answerFirst()
  await expect.poll(() => savedMarks(dojo)).toEqual(['Ken Adams false'])
  await expectMark(page, 'Ken Adams', 'Absent')
})

test('returns to the dashboard from a class opened there', { tag: '@long' }, async ({ page, dojo, visit, layoutPath }) => {
  await dojo.createClass({ class_days: [...WEEKDAYS] })
  await signIn(page, dojo)
  await visit('/dashboard')
  await page.getByRole('link', { name: 'Mark Little Dragons' }).click()
  await expect(dialogOf(page)).toBeVisible()
  await dialogOf(page).getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('heading', { name: 'Birthday Details' })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe(layoutPath || '/dashboard')
})

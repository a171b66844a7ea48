import type { Locator, Page } from '@playwright/test'
import { familiesApi } from '@tatami/contract/families/families'
import { call } from './api.ts'
import { PASSWORD, uniqueEmail } from './dojo.ts'
import { createGuardian, waitForInvitationLink } from './families.ts'
import { expect, expectAccessible, expectAllAccessible, signIn, test } from './harness.ts'

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

/** Presses a switch. Returns whether it is on right afterwards, before the page redraws. */
async function pressSwitch(element: Locator): Promise<boolean> {
  const state = await element.evaluateHandle((input: HTMLInputElement) => ({
    isOn: new Promise<boolean>((resolve) => {
      document.addEventListener('click', () => resolve(input.checked), { once: true })
    }),
  }))
  await element.click()
  return state.evaluate(({ isOn }) => isOn)
}

test('invites a guardian, who creates a login from the email', async ({ page, dojo, visit }) => {
  const email = uniqueEmail('rosa')
  const leo = await dojo.createStudent({ name: 'Leo Diaz' })
  await call(
    familiesApi.createGuardian,
    { body: { name: 'Rosa Diaz', email, students: [{ student_id: leo.id }] } },
    dojo.token,
  )
  await signIn(page, dojo)
  await visit('/families')
  await page.getByRole('button', { name: 'Rosa Diaz' }).click()
  const inviteButton = dialog(page, 'Rosa Diaz').getByRole('button', { name: 'Invite to log in' })
  await dialog(page, 'Rosa Diaz').getByLabel('Guardian’s email').fill('not-saved@example.com')
  await expect(inviteButton).toBeDisabled()
  await expect(dialog(page, 'Rosa Diaz')).toContainText(
    `Save your changes first: the invitation goes to the saved email, ${email}`,
  )
  await dialog(page, 'Rosa Diaz').getByLabel('Guardian’s email').fill(email)
  await inviteButton.click()
  await expect(page.getByText(`The invitation was sent to ${email}.`)).toBeVisible()
  const link = await waitForInvitationLink(email)
  await page.evaluate(() => localStorage.clear())
  await page.goto('about:blank')
  await page.goto(link)
  await expect(page.getByText('Hello Rosa Diaz.')).toBeVisible()
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByText('Password must be at least 8 characters')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Choose a password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome back, Rosa Diaz!' })).toBeVisible()
  await expect(page.getByRole('article', { name: 'Leo Diaz' })).toBeVisible()
})

test('records a parent’s consent to a login for a child under 13', async ({
  page,
  dojo,
  visit,
}) => {
  const birthYear = new Date().getFullYear() - 9
  const leo = await dojo.createStudent({ name: 'Leo Diaz', date_of_birth: `${birthYear}-01-15` })
  await signIn(page, dojo)
  await visit(`/students/${leo.id}`)
  await expect(page.getByText('Add the guardian first.')).toBeVisible()
  await createGuardian(dojo, [leo])
  await page.reload()
  const agreement = page.getByRole('switch', { name: 'agrees to a login for Leo' })
  expect(await pressSwitch(agreement)).toBe(true)
  await expect(page.getByText(/^Agreed on /)).toBeVisible()
  await expect(dojo.createSession(leo)).resolves.toMatchObject({ email: leo.email })
  await expectAllAccessible(page)
  await agreement.uncheck()
  await expect(page.getByText(/^Agreed on /)).toBeHidden()
  await expect(dojo.createSession(leo)).rejects.toThrow()
})

test('keeps a parent’s switch in place while the page reloads its data', async ({
  page,
  dojo,
  visit,
}) => {
  const birthYear = new Date().getFullYear() - 9
  const leo = await dojo.createStudent({ name: 'Leo Diaz', date_of_birth: `${birthYear}-01-15` })
  const rosa = await createGuardian(dojo, [leo])
  await signIn(page, rosa)
  await visit('/dashboard')
  const agreement = page.getByRole('switch', { name: 'Leo can have a login' })
  await expect(agreement).not.toBeChecked()
  const { promise: gate, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/family/home*', async (route) => {
    await gate
    await route.continue()
  })
  const requestPromise = page.waitForRequest('**/api/family/home*')
  expect(await pressSwitch(agreement)).toBe(true)
  await requestPromise
  await expect(agreement).toBeChecked()
  release()
  await expect(agreement).toBeChecked()
  await expect(dojo.createSession(leo)).resolves.toMatchObject({ email: leo.email })
})

test('reports a used or invalid invitation', { tag: '@long' }, async ({ page, allowErrors }) => {
  allowErrors(/40[04]/)
  await page.goto('/accept-invitation')
  await expect(page.getByText('Please open the link in your invitation again.')).toBeVisible()
  await page.goto('/accept-invitation#nothing')
  await expect(page.getByText('Ask your instructor for a new invitation.')).toBeVisible()
  await expectAccessible(page)
})

test(
  'reopens a closed login on the student’s page',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const leo = await dojo.createStudent({ name: 'Leo Diaz', email: uniqueEmail('leo') })
    const rosa = await createGuardian(dojo, [leo])
    const body = {
      guardian_id: rosa.id,
      students: [{ student_id: leo.id, log_in: 'close' as const }],
    }
    await call(familiesApi.create, { body }, dojo.token)
    await signIn(page, dojo)
    await visit(`/students/${leo.id}`)
    await expect(
      page.getByText(/^Their own login was closed on .*It will be deleted after 7 days\.$/),
    ).toBeVisible()
    await expectAllAccessible(page)
    await page.getByRole('button', { name: 'Reopen it' }).click()
    await expect(page.getByText('Their own login was closed')).toBeHidden()
    const { guardians } = await call(familiesApi.list, {}, dojo.token)
    expect(guardians[0]!.students).toMatchObject([{ student_id: leo.id, log_in_closed_at: null }])
    const mia = await dojo.createStudent({ name: 'Mia Diaz', email: uniqueEmail('mia') })
    const familyForm = {
      guardian: { name: 'Ben Cruz' },
      students: [{ student_id: mia.id, log_in: 'close' as const }],
    }
    await call(familiesApi.create, { body: familyForm }, dojo.token)
    await visit(`/students/${mia.id}`)
    await expect(
      page.getByText('Their own login closes when Ben Cruz logs in for the first time.'),
    ).toBeVisible()
    await page.getByRole('button', { name: 'Keep it open' }).click()
    await expect(page.getByText('Their own login closes')).toBeHidden()
  },
)

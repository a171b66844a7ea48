import { dojosApi } from '@tatami/contract/dojos/dojos'
import { call } from './api.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const TITLE = 'What we keep, for how long, and who gets it'

test('links from the join page and the app to what is kept, for how long, and who gets it', async ({
  page,
  dojo,
  visit,
}) => {
  const { invite_code } = await call(dojosApi.invitation, {}, dojo.token)
  await page.goto(`/join/${invite_code}`)
  await page.getByRole('link', { name: TITLE }).click()
  await expect(page).toHaveURL('/privacy')
  await expect(page.getByRole('heading', { name: TITLE })).toBeVisible()
  await expect(page.getByText('Your school’s instructors')).toBeVisible()
  await expect(page.getByText('180 days')).toBeVisible()
  await expectAccessible(page)
  await signIn(page, dojo)
  await visit('/students')
  await page.getByRole('contentinfo').getByRole('link', { name: 'What we keep' }).click()
  await expect(page.getByRole('heading', { name: TITLE })).toBeVisible()
})

test('reports that the page could not be loaded, and loads it on Try again', async ({
  page,
  allowErrors,
}) => {
  allowErrors(/status of 403/)
  await page.route('**/api/privacy', (route) => route.fulfill({ status: 403, json: {} }))
  await page.goto('/privacy')
  await expect(page.getByText('This page could not be loaded.')).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Your school’s instructors')).toBeVisible()
})

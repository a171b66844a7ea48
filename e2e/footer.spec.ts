import type { Page } from '@playwright/test'
import { dojosApi } from '@tatami/contract/dojos/dojos'
import { PATHS } from '../web/lib/paths.ts'
import { call } from './api.ts'
import { expect, sampleInShortRun, signIn, test } from './harness.ts'

const FOOTER_TEXTS = ['Run your dojo, not your paperwork.', `© ${new Date().getFullYear()} Tatami`]
const ALL_PATHS = [...Object.values(PATHS), '/login']
const PATHS_OUTSIDE_APP = ['/', '/nowhere']

async function expectFooter(page: Page, paths: string[]) {
  test.slow()
  for (const path of paths) {
    await page.goto(path)
    for (const text of FOOTER_TEXTS)
      await expect(page.getByRole('contentinfo').getByText(text), path).toBeVisible()
  }
}

/** Lists the screens without a parameter in the path, in the layout under test. */
const listPathsInLayout = (layoutPath: string) =>
  sampleInShortRun(ALL_PATHS.filter((path) => !path.includes(':'))).map((path) => layoutPath + path)

test('knows the paths of the screens and the public pages', () => {
  expect(ALL_PATHS).toEqual(
    expect.arrayContaining([
      '/dashboard',
      '/simulator',
      '/automatic-reminders',
      '/super-admin',
      '/login',
      '/join/:code',
      '/reset-password',
    ]),
  )
})

test('shows the footer on every page to a visitor', async ({ page, dojo, allowErrors }) => {
  // An invitation code is not valid for a certificate.
  allowErrors(/certificates/)
  const { invite_code } = await call(dojosApi.invitation, {}, dojo.token)
  await expectFooter(page, [
    ...PATHS_OUTSIDE_APP,
    ...sampleInShortRun(ALL_PATHS).map((path) => path.replace(':code', invite_code)),
  ])
})

test(
  'shows the footer on every page to an instructor',
  { tag: '@long' },
  async ({ page, dojo, layoutPath }) => {
    await signIn(page, dojo)
    await expectFooter(page, [...PATHS_OUTSIDE_APP, ...listPathsInLayout(layoutPath)])
  },
)

test(
  'shows the footer on every page to a student',
  { tag: '@long' },
  async ({ page, dojo, layoutPath }) => {
    await signIn(page, await dojo.createSession(await dojo.createStudent()))
    await expectFooter(page, [...PATHS_OUTSIDE_APP, ...listPathsInLayout(layoutPath)])
  },
)

test(
  'shows the footer on every page to a super admin',
  { tag: '@long' },
  async ({ page, superAdmin, layoutPath }) => {
    await signIn(page, superAdmin)
    await expectFooter(page, [...PATHS_OUTSIDE_APP, ...listPathsInLayout(layoutPath)])
  },
)

import type { Page } from '@playwright/test'
import type { Sensei } from '@tatami/contract/sensei/sensei'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const SENSEI_COUNT = 70
const SENSEI: Sensei[] = Array.from({ length: SENSEI_COUNT }, (_, number) => ({
  sensei_id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
  full_name: `Aiko ${'abcdefghij'[Math.floor(number / 10) % 10]}${'abcdefghij'[number % 10]}`,
  dojo_name: 'Tanaka Dojo',
  contact_number: '5125550100',
  email: `sensei${number}@example.com`,
  city: 'Cedar Park',
  state: 'Texas',
  total_students: number,
  is_active: true,
  created_at: '2026-01-02T18:00:00.000Z',
  activity: { last_seen_on: '2026-02-01', texts: number },
}))
const LIST = /\/api\/super-admin\/sensei\?/

/** Responds like a server with 70 sensei. Returns the list of queries that it gets. */
async function mockSenseiList(page: Page): Promise<Record<string, string>[]> {
  const queries: Record<string, string>[] = []
  await page.route(LIST, async (route) => {
    const query = Object.fromEntries(new URL(route.request().url()).searchParams)
    queries.push(query)
    const start = query.before
      ? SENSEI.findIndex(({ sensei_id }) => sensei_id === query.before) + 1
      : 0
    await route.fulfill({ json: { sensei_list: SENSEI.slice(start, start + Number(query.limit)) } })
  })
  return queries
}

test(
  'shows fifty sensei at a time, and more on request',
  { tag: '@long' },
  async ({ page, superAdmin, layoutPath, isDesktop, allowErrors }) => {
    test.slow()
    allowErrors(/ERR_FAILED/)
    await signIn(page, superAdmin)
    const queries = await mockSenseiList(page)
    await page.goto(`${layoutPath}/super-admin`)
    const entries = page
      .getByRole(isDesktop ? 'row' : 'listitem')
      .filter({ hasText: '@example.com' })
    const showMore = page.getByRole('button', { name: 'Show more' })
    await expect(entries).toHaveCount(50)
    await page.route(/\/api\/super-admin\/sensei\?.*before=/, (route) => route.abort())
    await showMore.click()
    await expect(page.getByText('More sensei could not be loaded.')).toBeVisible()
    await expect(entries).toHaveCount(50)
    await page.unroute(/\/api\/super-admin\/sensei\?.*before=/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(entries).toHaveCount(SENSEI_COUNT)
    await expect(showMore).toHaveCount(0)
    expect(queries.at(-1)).toMatchObject({
      before: SENSEI[49]!.sensei_id,
      limit: '50',
      sort: '-created',
      status: 'all',
    })
  },
)

test(
  'shows how many sensei a search has found so far, and whether there are more',
  { tag: '@long' },
  async ({ page, superAdmin, layoutPath }) => {
    await signIn(page, superAdmin)
    const queries = await mockSenseiList(page)
    await page.goto(`${layoutPath}/super-admin`)
    await page.getByLabel('Search sensei').fill('  aiko ')
    await expect(page.getByRole('heading', { name: 'All sensei 50+' })).toBeVisible()
    expect(queries.at(-1)).toMatchObject({ search: 'aiko' })
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect(page.getByRole('heading', { name: 'All sensei 70' })).toBeVisible()
  },
)

test(
  'keeps search, filter and order in the URL, so that Back and a reload restore them',
  { tag: '@long' },
  async ({ page, superAdmin, layoutPath, isDesktop, dojo }) => {
    await signIn(page, superAdmin)
    await page.goto(`${layoutPath}/super-admin`)
    await page.getByLabel('Search sensei').fill(dojo.email)
    const activeFilter = page.getByRole('button', { name: /^Active ?\d/ })
    await activeFilter.click()
    if (isDesktop)
      await page
        .getByRole('columnheader', { name: 'Dojo', exact: true })
        .getByRole('button')
        .click()
    const expectedUrl = isDesktop ? /filter=active&sort=dojo$/ : /filter=active$/
    await expect(page).toHaveURL(expectedUrl)
    const expectSameList = async () => {
      await expect(page).toHaveURL(expectedUrl)
      await expect(page.getByLabel('Search sensei')).toHaveValue(dojo.email)
      await expect(activeFilter).toHaveAttribute('aria-pressed', 'true')
      await expect(
        page.getByRole('heading', { name: 'Active sensei 1', exact: true }),
      ).toBeVisible()
      await expect(page.getByText(dojo.email)).toBeVisible()
    }
    await expectSameList()
    await page.reload()
    await expectSameList()
    await page.goto('/consent-form')
    await page.goBack()
    await expectSameList()
    await page.goto(`${layoutPath}/super-admin?filter=gone&sort=password`)
    await expect(page.getByRole('button', { name: /^Total ?\d/ })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
  },
)

test(
  'reports a failed search, and allows repeating it',
  { tag: '@long' },
  async ({ page, superAdmin, layoutPath, dojo, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    await signIn(page, superAdmin)
    await page.goto(`${layoutPath}/super-admin`)
    await expect(page.getByText(dojo.email)).toBeVisible()
    await page.route(/\/api\/super-admin\/sensei\?.*search=/, (route) => route.abort())
    await page.getByLabel('Search sensei').fill(dojo.email)
    await expect(page.getByRole('alert')).toContainText('Failed to load dashboard data')
    await expect(page.getByLabel('Search sensei')).toHaveValue(dojo.email)
    await expectAccessible(page)
    await page.unroute(/\/api\/super-admin\/sensei\?.*search=/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'All sensei 1', exact: true })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
  },
)

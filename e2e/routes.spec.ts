import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, sampleInShortRun, signIn, test } from './harness.ts'
import { shortenSenseiList } from './sensei-list.ts'

type Role = 'student' | 'instructor' | 'superAdmin'
/** The title of each path and who may see it. Others are redirected to their home, and visitors to
 *  the login. */
const SCREENS: Record<string, { title: string; roles: Role[] }> = {
  '/dashboard': { title: 'Dashboard', roles: ['student', 'instructor'] },
  '/students': { title: 'Student Center', roles: ['instructor'] },
  '/attendance': { title: 'Attendance', roles: ['student', 'instructor'] },
  '/class-center': { title: 'Class Center', roles: ['instructor'] },
  '/payment-center': { title: 'Payment Center', roles: ['instructor'] },
  '/payment-tracking': { title: 'Payment Center', roles: ['instructor'] },
  '/announcements': { title: 'Message Center', roles: ['student', 'instructor', 'superAdmin'] },
  '/message-center': { title: 'Message Center', roles: ['student', 'instructor', 'superAdmin'] },
  '/sms-setup': { title: 'SMS Setup', roles: ['instructor'] },
  '/notification-settings': { title: 'Settings', roles: ['student'] },
  '/super-admin': { title: 'Super Admin', roles: ['superAdmin'] },
}
const HOMES = { student: '/dashboard', instructor: '/dashboard', superAdmin: '/super-admin' }
const PUBLIC = { '/': /^Tatami/, '/login': /^Login/, '/consent-form': /^Text/ }
const MESSAGE_CENTER = ['/announcements', '/message-center']

const listPaths = (layoutPath: string) =>
  sampleInShortRun(
    Object.keys(SCREENS).filter((path) => layoutPath === '' || path !== '/super-admin'),
  )
const toLayoutPath = (layoutPath: string, path: string) =>
  layoutPath && path === '/dashboard' ? layoutPath : `${layoutPath}${path}`

/** The super admin's home is the same in both layouts. */
const findHome = (layoutPath: string, role: Role) =>
  role === 'superAdmin' ? HOMES[role] : toLayoutPath(layoutPath, HOMES[role])

async function expectAllowedScreens(page: Page, layoutPath: string, role: Role) {
  for (const path of listPaths(layoutPath)) {
    const { title, roles } = SCREENS[path]!
    await page.goto(toLayoutPath(layoutPath, path))
    const isAllowed = roles.includes(role)
    await expect(page, `${role} at ${path}`).toHaveURL(
      isAllowed ? toLayoutPath(layoutPath, path) : findHome(layoutPath, role),
    )
    await expect(page).toHaveTitle(
      isAllowed ? `${title} · Tatami` : `${SCREENS[HOMES[role]]!.title} · Tatami`,
    )
    const deniedMessage = page.getByText('Access Denied')
    if (MESSAGE_CENTER.includes(path) && role !== 'instructor')
      await expect(deniedMessage).toBeVisible()
    else await expect(deniedMessage).toBeHidden()
  }
  // The home opens in the layout that was used last.
  const home = findHome(layoutPath, role)
  for (const path of ['/', '/login']) {
    await page.goto(path)
    await expect(page, `${role} at ${path}`).toHaveURL(home)
  }
  await page.goto('/consent-form')
  await expect(page).toHaveTitle(PUBLIC['/consent-form'])
}

test('covers the route table of the specification', () => {
  const [, routes = ''] = readFileSync('docs/specification.md', 'utf8').split('### Routes')
  // The rows of the table: | paths | who may see them | description |
  const lines = [...routes.split('###')[0]!.matchAll(/^\| (\/[^|]*) \|[^|]*\|([^|]*)\|$/gm)]
  const paths = lines.flatMap(([, cell = '']) => cell.match(/\/[^\s,]*/g) ?? [])
  expect(paths.toSorted()).toEqual(
    [...Object.keys(PUBLIC), ...Object.keys(SCREENS), '/desktop/*'].toSorted(),
  )
  const nestedPaths =
    /Nested: index \(dashboard\), ([^.]*)\./.exec(lines.at(-1)?.[2] ?? '')?.[1]?.split(', ') ?? []
  expect(Object.keys(SCREENS)).toEqual(
    expect.arrayContaining(nestedPaths.map((name) => `/${name}`)),
  )
})

test(
  'shows students their screens and redirects them home from others',
  { tag: '@long' },
  async ({ page, dojo, layoutPath }) => {
    await signIn(page, await dojo.createSession(await dojo.createStudent()))
    await expectAllowedScreens(page, layoutPath, 'student')
  },
)

test('shows instructors their screens and redirects them home from others', async ({
  page,
  dojo,
  layoutPath,
}) => {
  await signIn(page, dojo)
  await expectAllowedScreens(page, layoutPath, 'instructor')
})

test(
  'redirects a super admin from all other screens',
  { tag: '@long' },
  async ({ page, superAdmin, layoutPath }) => {
    await shortenSenseiList(page)
    await signIn(page, superAdmin)
    await expectAllowedScreens(page, layoutPath, 'superAdmin')
  },
)

test('shows visitors the public pages and redirects other pages to the login', async ({
  page,
  dojo,
  layoutPath,
}) => {
  for (const [path, title] of Object.entries(PUBLIC)) {
    await page.goto(path)
    await expect(page).toHaveURL(path)
    await expect(page).toHaveTitle(title)
  }
  for (const path of listPaths(layoutPath)) {
    await page.goto(toLayoutPath(layoutPath, path))
    await expect(page, path).toHaveURL('/login')
    await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
    await page.goBack()
    await expect(page, 'the login replaces the requested page in the history').toHaveURL(
      '/consent-form',
    )
  }
  await page.goto(toLayoutPath(layoutPath, '/payment-tracking?filter=unpaid'))
  await page.getByLabel('Email').fill(dojo.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(dojo.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL(toLayoutPath(layoutPath, '/payment-tracking?filter=unpaid'))
})

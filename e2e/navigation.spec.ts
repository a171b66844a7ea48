import type { Page } from '@playwright/test'
import { expect, expectAccessible, signIn, test } from './harness.ts'
import { createThreeStudents } from './students.ts'

/** Each section's start path in the main navigation, and the paths of its tabs. */
const SECTIONS = [
  {
    title: 'Dashboard',
    start: '/dashboard',
    tabs: { Today: '/dashboard', Numbers: '/numbers' },
  },
  {
    title: 'Student Center',
    start: '/students',
    tabs: { Students: '/students', Belts: '/belts/ready', Families: '/families' },
  },
  {
    title: 'Class Center',
    start: '/class-center',
    tabs: { 'This week': '/schedule', Classes: '/class-center', Holidays: '/holidays' },
  },
  {
    title: 'Payment Center',
    start: '/payment-center',
    tabs: { 'Past due': '/owing', 'This month': '/payment-center', Money: '/payment-figures' },
  },
  {
    title: 'Message Center',
    start: '/message-center',
    tabs: { Inbox: '/messages', Sent: '/message-center', Automatic: '/automatic-reminders' },
  },
]

const sectionNavigation = (page: Page, title: string) =>
  page.getByRole('navigation', { name: title, exact: true })

for (const { title, start, tabs } of SECTIONS)
  test(`links the tabs of the ${title} to its pages`, async ({ page, dojo, visit, layoutPath }) => {
    await createThreeStudents(dojo)
    await signIn(page, dojo)
    await visit(start)
    const navigation = sectionNavigation(page, title)
    for (const [name, path] of Object.entries(tabs)) {
      const tab = navigation.getByRole('link', { name, exact: true })
      await tab.click()
      await expect(page).toHaveURL(
        layoutPath && path === '/dashboard' ? layoutPath : `${layoutPath}${path}`,
      )
      await expect(tab).toHaveAttribute('aria-current', 'page')
      await expect(navigation.locator('[aria-current=page]')).toHaveCount(1)
      await expect(
        page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]'),
      ).toContainText(title)
      await expect(page.getByRole('button', { name: /^Back/ })).toHaveCount(0)
    }
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width, 'the page does not scroll sideways').toBeLessThanOrEqual(
      page.viewportSize()!.width,
    )
  })

test('switches between the screens of a tab', async ({ page, dojo, visit, layoutPath }) => {
  await createThreeStudents(dojo)
  await signIn(page, dojo)
  await visit('/belts/ready')
  const beltsSwitch = page.getByRole('navigation', { name: 'Belts' })
  await beltsSwitch.getByRole('link', { name: 'Belt tests' }).click()
  await expect(page).toHaveURL(`${layoutPath}/gradings`)
  await expect(beltsSwitch.locator('[aria-current=page]')).toHaveText('Belt tests')
  await expect(sectionNavigation(page, 'Student Center').locator('[aria-current=page]')).toHaveText(
    'Belts',
  )
  await visit('/payment-figures')
  const moneySwitch = page.getByRole('navigation', { name: 'Money' })
  for (const [name, path] of [
    ['Cash Count', '/cash-count'],
    ['Receipts', '/receipts'],
    ['Reports', '/payment-figures'],
  ] as const) {
    await moneySwitch.getByRole('link', { name }).click()
    await expect(page).toHaveURL(`${layoutPath}${path}`)
    await expect(moneySwitch.locator('[aria-current=page]')).toHaveText(name)
  }
})

test('switches the view of the Student Center with the Attendance tab', async ({
  page,
  dojo,
  visit,
  layoutPath,
}) => {
  await createThreeStudents(dojo)
  await signIn(page, dojo)
  await visit('/belts/ready')
  const navigation = sectionNavigation(page, 'Student Center')
  await expect(navigation.getByRole('button', { name: 'Attendance' })).toBeVisible()
  const lineCounts = await navigation
    .getByRole('link')
    .or(navigation.getByRole('button'))
    .evaluateAll((tabs) =>
      tabs.map((tab) => {
        const range = document.createRange()
        range.selectNodeContents(tab)
        return range.getClientRects().length
      }),
    )
  expect(lineCounts, 'each label fits on one line').toEqual([1, 1, 1, 1])
  await navigation.getByRole('button', { name: 'Attendance' }).click()
  await expect(page).toHaveURL(`${layoutPath}/students`)
  await expect(page.getByRole('heading', { name: 'Attendance records' })).toBeVisible()
  await expect(navigation.locator('[aria-current=page]')).toHaveText('Attendance')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Back to Student Center' }).click()
  await expect(page.getByPlaceholder('Search students...')).toBeVisible()
  await expect(navigation.locator('[aria-current=page]')).toHaveText('Students')
})

test('goes back from a subpage to the previous page, or to its parent', async ({
  page,
  dojo,
  visit,
  layoutPath,
}) => {
  await createThreeStudents(dojo)
  await signIn(page, dojo)
  for (const [path, parentPath, parentTitle] of [
    ['/import-students', '/students', 'Student Center'],
    ['/slipping-away', layoutPath ? '' : '/dashboard', 'Dashboard'],
    ['/school', layoutPath ? '' : '/dashboard', 'Dashboard'],
    ['/belts', '/school', 'School'],
    ['/kiosks', '/school', 'School'],
    ['/audit-log', '/school', 'School'],
    ['/hours', '/school', 'School'],
    ['/pay', '/school', 'School'],
    ['/security', '/school', 'School'],
    ['/simulator', '/message-center', 'Message Center'],
  ] as const) {
    // A new browser tab has no previous page, so the arrow leads to the parent.
    const newPage = await page.context().newPage()
    await newPage.goto(`${layoutPath}${path}`)
    await newPage.getByRole('link', { name: `Back to ${parentTitle}` }).click()
    await expect(newPage).toHaveURL(`${layoutPath}${parentPath}`)
    await newPage.close()
  }
  await visit('/payment-center')
  await page.getByRole('link', { name: 'Ben Moss' }).first().click()
  await expect(page.getByRole('heading', { name: 'Ben Moss', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(page).toHaveURL(`${layoutPath}/payment-center`)
})

test('leads from the School page to all settings of the school', async ({
  page,
  dojo,
  visit,
  layoutPath,
  isDesktop,
}) => {
  await signIn(page, dojo)
  await visit('/dashboard')
  if (isDesktop) {
    await page.getByRole('button', { name: 'Aiko Tanaka (Instructor)' }).click()
    await page.getByRole('button', { name: 'All school settings' }).click()
  } else {
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('link', { name: 'School' }).click()
  }
  await expect(page).toHaveURL(`${layoutPath}/school`)
  const main = page.getByRole('main')
  await expectAccessible(page)
  for (const [row, title] of [
    ['Name and address', 'Instructor settings'],
    ['Logo and color', 'Logo and color'],
    ['Invite link', 'Invite students'],
    ['Prices', 'Sibling Prices'],
    ['Calendar', 'Calendar'],
    ['Your data', 'Your data'],
  ] as const) {
    await main.getByRole('button', { name: new RegExp(`^${row}`) }).click()
    const dialog = page.getByRole('dialog', { name: title })
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(page).toHaveURL(`${layoutPath}/school`)
  }
  for (const [row, path] of [
    ['Texting', '/sms-setup'],
    ['Plans', '/plans'],
    ['Online payment', '/online-payment'],
    ['Belts', '/belts'],
    ['Kiosk', '/kiosks'],
    ['Login and devices', '/security'],
    ['Audit log', '/audit-log'],
    ['Hours', '/hours'],
    ['Pay', '/pay'],
  ] as const) {
    await main.getByRole('link', { name: new RegExp(`^${row}`) }).click()
    await expect(page).toHaveURL(`${layoutPath}${path}`)
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await expect(page).toHaveURL(`${layoutPath}/school`)
  }
})

test('shows the charts on Numbers, and links to the payments by month', async ({
  page,
  dojo,
  visit,
  layoutPath,
  allowErrors,
}) => {
  allowErrors(/status of 403/)
  await createThreeStudents(dojo)
  await signIn(page, dojo)
  await visit('/numbers')
  await expect(page.getByRole('region', { name: 'Students by Belt' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Payments by month' }).click()
  await expect(page).toHaveURL(`${layoutPath}/payment-figures`)
  await page.route('**/api/dashboard/analytics', (route) =>
    route.fulfill({ status: 403, json: { detail: 'Not now' } }),
  )
  await visit('/numbers')
  await expect(page.getByText('The numbers could not be loaded.')).toBeVisible()
})

test('shows the keyboard shortcuts on a question mark, except while somebody is typing', async ({
  page,
  dojo,
  visit,
}) => {
  await createThreeStudents(dojo)
  await signIn(page, dojo)
  await visit('/students')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await page.getByPlaceholder('Search students...').press('?')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('main').focus()
  await page.keyboard.press('?')
  await expect(dialog).toContainText('Mark a student present')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

test('hides less common student actions behind one button on a phone', async ({
  page,
  dojo,
  visit,
  layoutPath,
  isDesktop,
}) => {
  test.skip(isDesktop, 'a desktop shows all actions')
  await createThreeStudents(dojo)
  await signIn(page, dojo)
  await visit('/students')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Download CSV' }).click()
  await expect(page.getByRole('dialog', { name: 'Download CSV' })).toBeVisible()
  await page.goBack()
  await page.getByRole('link', { name: 'Import students' }).click()
  await expect(page).toHaveURL(`${layoutPath}/import-students`)
})

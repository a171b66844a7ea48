import { WEEKDAYS } from '@tatami/contract/lib/calendar-day'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, signIn, test } from './harness.ts'
import { createThreeStudents, expectVisibleStudents } from './students.ts'

const findDialog = (page: Page) => page.getByRole('dialog', { name: 'Find' })
const searchField = (page: Page) =>
  page.getByRole('combobox', { name: 'Find a student, class or screen' })
const options = (page: Page) => findDialog(page).getByRole('option')

test('finds a student by keyboard from any screen, and returns to it with Back', async ({
  page,
  dojo,
  visit,
  layoutPath,
}) => {
  await createThreeStudents(dojo)
  const zoe = await dojo.createStudent({
    name: 'Zoë Müller',
    phone_number: '737-555-0199',
    belt_level: 'brown',
  })
  await signIn(page, dojo)
  await visit('/class-center')
  await expect(page.getByRole('heading', { name: 'Class Management' })).toBeVisible()
  let callCount = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/students')) callCount += 1
  })
  await page.keyboard.press('Control+k')
  await expect(searchField(page)).toBeFocused()
  for (const [searchText, contact] of [
    ['muller zo', ''],
    ['(737) 555', ' · (737) 555-0199'],
    [zoe.email, ` · ${zoe.email}`],
  ] as const) {
    await searchField(page).fill(searchText)
    await expect(options(page)).toHaveText([`Zoë MüllerBrown belt · No classes${contact}`])
  }
  expect(callCount, 'loads the list once, and makes no calls while typing').toBeLessThanOrEqual(1)
  await searchField(page).fill('s')
  await expect(searchField(page)).toHaveAttribute(
    'aria-activedescendant',
    (await options(page).first().getAttribute('id')) ?? '',
  )
  await page.keyboard.press('ArrowDown')
  await expect(options(page).nth(1)).toHaveAttribute('aria-selected', 'true')
  await expect(searchField(page)).toHaveAttribute(
    'aria-activedescendant',
    (await options(page).nth(1).getAttribute('id')) ?? '',
  )
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(options(page).last()).toHaveAttribute('aria-selected', 'true')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(findDialog(page)).toHaveCount(0)

  await page.keyboard.press('Control+k')
  await searchField(page).fill('zoe')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${layoutPath}/students/${zoe.id}`)
  await expect(page.getByRole('heading', { name: 'Zoë Müller', level: 1 })).toBeVisible()
  await expect(findDialog(page)).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(`${layoutPath}/class-center`)
  await expect(page.getByRole('heading', { name: 'Class Management' })).toBeVisible()
})

test(
  'finds a student with the button in the bar and a tap on the result',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await createThreeStudents(dojo)
    await signIn(page, dojo)
    await visit('/dashboard')
    await page.getByRole('button', { name: 'Find' }).click()
    await searchField(page).fill('moss')
    await options(page).getByText('Ben Moss').click()
    await expect(page.getByRole('heading', { name: 'Ben Moss', level: 1 })).toBeVisible()
  },
)

test(
  'finds classes and screens, and reports when nothing matches',
  { tag: '@long' },
  async ({ page, dojo, visit, layoutPath }) => {
    const { id } = await dojo.createClass({
      class_name: 'Little Dragons',
      class_days: [...WEEKDAYS],
    })
    await signIn(page, dojo)
    await visit('/dashboard')
    await page.getByRole('button', { name: 'Find' }).click()
    await expect(options(page).filter({ hasText: 'Payment Center' })).toHaveCount(1)
    await searchField(page).fill('nothing at all')
    await expect(findDialog(page)).toContainText('No results')
    await searchField(page).fill('dragons')
    await options(page).getByText('Little Dragons').click()
    await expect(
      page.getByRole('dialog', { name: 'Mark Attendance' }).getByLabel('Class'),
    ).toHaveValue(id)
    await page
      .getByRole('dialog', { name: 'Mark Attendance' })
      .getByRole('button', { name: 'Done' })
      .click()
    await expect(findDialog(page)).toHaveCount(0)
    await page.keyboard.press('Control+k')
    await searchField(page).fill('message')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`${layoutPath}/message-center`)
  },
)

test(
  'finds actions by other words, opens their dialogs, and keeps its height',
  { tag: '@long' },
  async ({ page, dojo, visit, layoutPath }) => {
    await createThreeStudents(dojo)
    await signIn(page, dojo)
    await visit('/dashboard')
    const searchFor = async (text: string) => {
      await page.keyboard.press('Control+k')
      await searchField(page).fill(text)
    }
    await page.getByRole('button', { name: 'Find' }).click()
    const positions = new Set<number | undefined>()
    for (const text of ['', 'a', 'ann', 'nothing at all', 'dark']) {
      await searchField(page).fill(text)
      await expect(findDialog(page)).toContainText(text === 'nothing at all' ? 'No results' : '')
      positions.add((await searchField(page).boundingBox())?.y)
    }
    expect(positions.size, 'the field does not move').toBe(1)
    await expect(findDialog(page)).toContainText('Dark mode follows your device.')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    for (const [text, action, dialogTitle] of [
      ['invitation', 'Invite link', 'Invite students'],
      ['snow', 'Weather Cancellation', 'Weather Cancellation Notice'],
      ['new child', 'Enroll a student', 'Enroll New Student'],
    ] as const) {
      await searchFor(text)
      await options(page).getByText(action).click()
      await expect(page.getByRole('dialog', { name: dialogTitle })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(page).not.toHaveURL(/open=/)
    }
    await searchFor('promote')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`${layoutPath}/belts/ready`)
    await searchFor('log out')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/')
  },
)

test(
  'opens Find with a slash on screens without a search field',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await createThreeStudents(dojo)
    await signIn(page, dojo)
    await visit('/students')
    await expectVisibleStudents(page, ['Ann Lee', 'Ann Lee', 'Ben Moss', 'Cleo Nash'])
    await page.keyboard.press('/')
    await expect(page.getByPlaceholder('Search students...')).toBeFocused()
    await visit('/dashboard')
    await expect(page.getByRole('heading', { name: /Welcome back/ })).toBeVisible()
    await page.keyboard.press('/')
    await expect(searchField(page)).toBeFocused()
  },
)

/** Touches the first point and moves the finger along the other points. `letGo` lifts it. */
async function touch(page: Page, ...points: [x: number, y: number][]) {
  const devtools = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', point: [number, number] | null) =>
    devtools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: point ? [{ x: point[0], y: point[1] }] : [],
    })
  const [first, ...nextPoints] = points
  await send('touchStart', first!)
  for (const point of nextPoints) await send('touchMove', point)
  return { letGo: () => send('touchEnd', null) }
}
const listPointsDown = (fromY: number, toY: number): [number, number][] =>
  Array.from({ length: 11 }, (_, step) => [200, fromY + ((toY - fromY) * step) / 10])

test(
  'opens Find when a list is pulled down on a phone, but not after a short or slanted pull',
  { tag: '@long' },
  async ({ page, dojo, visit, isDesktop }) => {
    test.skip(isDesktop, 'only a phone has this gesture')
    const { id } = await dojo.createClass()
    for (const letter of 'ABCDEFGHIJ')
      await dojo.createStudent({ name: `Student ${letter}`, enrolled_classes: [id] })
    await signIn(page, dojo)
    await visit('/students')
    await expect(page.getByRole('link', { name: 'Student A', exact: true })).toBeVisible()
    const readOverscroll = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).overscrollBehaviorY)
    await expect.poll(readOverscroll, 'a pull does not reload the page').toBe('contain')
    const shortPull = await touch(page, ...listPointsDown(300, 370))
    await expect(page.getByText('Pull to search')).toBeVisible()
    await shortPull.letGo()
    await expect(page.getByText('Pull to search')).toBeHidden()
    const slantedPull: [number, number][] = [
      [300, 300],
      [250, 310],
      [150, 420],
    ]
    await (await touch(page, ...slantedPull)).letGo()
    await (await touch(page, ...listPointsDown(500, 300))).letGo()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(50)
    const pullWhileScrolled = await touch(page, ...listPointsDown(300, 340))
    await expect(page.getByText(/to find$/)).toBeHidden()
    await pullWhileScrolled.letGo()
    await expect(findDialog(page)).toHaveCount(0)
    await page.evaluate(() => window.scrollTo(0, 0))
    const pull = await touch(page, ...listPointsDown(300, 420))
    await expect(page.getByText('Release to search')).toBeVisible()
    await pull.letGo()
    await expect(searchField(page)).toBeFocused()
    await expect(page.getByText(/to find$/)).toBeHidden()
    await searchField(page).fill('student j')
    await options(page).getByText('Student J').click()
    await expect(page.getByRole('heading', { name: 'Student J', level: 1 })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('link', { name: 'Student A', exact: true })).toBeVisible()
    await expect(findDialog(page)).toHaveCount(0)
  },
)

test('does not offer Find to students', { tag: '@long' }, async ({ page, dojo, visit }) => {
  const { ann } = await createThreeStudents(dojo)
  await signIn(page, await dojo.createSession(ann))
  await visit('/dashboard')
  await expect(page.getByRole('heading', { name: /Welcome back/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Find' })).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await expect(findDialog(page)).toHaveCount(0)
})

test(
  'returns from a student’s page to the name in the list, with the same search and filter',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const { id } = await dojo.createClass()
    for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
      await dojo.createStudent({ name: `Student ${letter}`, enrolled_classes: [id] })
    await signIn(page, dojo)
    for (const path of ['/students?filter=regular', '/payment-center?filter=unpaid']) {
      await visit(path)
      await page.getByRole('searchbox').fill('student')
      await expect(page).toHaveURL(/search=student/)
      const link = page.getByRole('link', { name: 'Student T', exact: true })
      // Scrolls the link out from under the bars, and waits until it has stopped moving.
      await link.click({ trial: true })
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(200)
      const top = await link.evaluate((element) => element.getBoundingClientRect().top)
      await link.click()
      await expect(page.getByRole('heading', { name: 'Student T', level: 1 })).toBeVisible()
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
      await page.getByRole('button', { name: 'Back', exact: true }).click()
      await expect(link).toBeFocused()
      await expect
        .poll(async () =>
          Math.abs((await link.evaluate((element) => element.getBoundingClientRect().top)) - top),
        )
        .toBeLessThan(3)
      await expect(page.getByRole('searchbox')).toHaveValue('student')
      await expect(page).toHaveURL(new RegExp(path.replace('?', '\\?')))
    }
  },
)

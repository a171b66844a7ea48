import { expect, expectAccessible, signIn, test, collectWarnings } from './harness.ts'
import { chooseFilter, expectFilter } from './filters.ts'
import { expectInRow, expectVisibleStudents, createThreeStudents } from './students.ts'

test('groups students by class with their details', async ({ page, dojo, visit, isDesktop }) => {
  const { ann } = await createThreeStudents(dojo)
  await signIn(page, dojo)
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/students', async (route) => {
    await promise
    await route.fallback()
  })
  await visit('/students')
  await expect(page.getByText('Loading students...')).toBeVisible()
  resolve()
  await expectVisibleStudents(page, ['Ann Lee', 'Ann Lee', 'Ben Moss', 'Cleo Nash'])
  await expect(page.getByText('3 students', { exact: true })).toBeVisible()
  const summary = page.getByRole('region', { name: 'Students by Class' })
  await expect(summary.getByRole('button')).toHaveText([
    /^Little Dragons1 student 4:00 PM - 5:00 PM$/,
    /^Teens2 students 6:00 PM - 7:00 PM$/,
  ])
  await expectInRow(page, 'Ann Lee', [
    'Ann Lee',
    ann.email,
    'Green belt',
    '(512) 555-0142',
    'Regular',
    'Active',
    isDesktop ? 'Little Dragons, Teens' : 'Also Teens',
  ])
  await expectInRow(page, 'Ben Moss', ['Trial'])
  await expectInRow(page, 'Cleo Nash', ['On Vacation', 'No classes'])
  for (const [name, members] of [
    ['Little Dragons 4:00 PM - 5:00 PM · 1 student', ['Ann Lee']],
    [
      'Teens 6:00 PM - 7:00 PM · 2 students',
      isDesktop ? ['Ann Lee', 'Ben Moss'] : ['Ben Moss', 'Ann Lee'],
    ],
    ['Unassigned 1 student', ['Cleo Nash']],
  ] as const) {
    const heading = page
      .getByRole('heading', { name, level: 3 })
      .or(page.getByRole('rowheader', { name }))
    await expect(heading).toBeVisible()
    const group = page.locator('div, tbody').filter({ has: heading }).last()
    await expect(group.getByRole('link', { name: /^[A-Z][a-z]+ [A-Z][a-z]+$/ })).toHaveText([
      ...members,
    ])
  }
  // A phone shows Ann's card only in the first of her classes.
  await expect(page.getByRole('button', { name: 'Edit Ann Lee' })).toHaveCount(isDesktop ? 2 : 1)
  await expectAccessible(page)
})

test(
  'searches name and email, and keeps the filter in the URL',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await createThreeStudents(dojo)
    await signIn(page, dojo)
    await visit('/students?filter=trial')
    await expectVisibleStudents(page, ['Ben Moss'])
    await expect(page.getByRole('status').getByText('1 of 3 students')).toBeVisible()
    for (const [label, filter, names] of [
      ['Students on Vacation', 'vacation', ['Cleo Nash']],
      ['Regular', 'regular', ['Ann Lee', 'Ann Lee', 'Cleo Nash']],
      ['Trial', 'trial', ['Ben Moss']],
      ['All', 'all', ['Ann Lee', 'Ann Lee', 'Ben Moss', 'Cleo Nash']],
    ] as const) {
      await chooseFilter(page, 'Status', label)
      await expectVisibleStudents(page, [...names])
      await expect(page).toHaveURL(new RegExp(`/students\\?filter=${filter}$`))
      await page.reload()
      await expectFilter(page, 'Status', label)
      await expectVisibleStudents(page, [...names])
    }
    const search = page.getByPlaceholder('Search students...')
    for (const [name, names] of [
      ['MOSS', ['Ben Moss']],
      ['dragon-', ['Ann Lee', 'Ann Lee']],
    ] as const) {
      await search.fill(name)
      await expectVisibleStudents(page, [...names])
    }
    await search.fill('nobody')
    await expect(page.getByText('No students found')).toBeVisible()
    await page.getByRole('button', { name: 'Show all students' }).click()
    await expectVisibleStudents(page, ['Ann Lee', 'Ann Lee', 'Ben Moss', 'Cleo Nash'])
    await page.getByRole('button', { name: 'Edit Ben Moss' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('button', { name: 'Edit Cleo Nash' })).toBeFocused()
    await page.keyboard.press('/')
    await expect(search).toBeFocused()
    await visit('/students?filter=brown')
    await expectFilter(page, 'Status', 'All')
    await expectVisibleStudents(page, ['Ann Lee', 'Ann Lee', 'Ben Moss', 'Cleo Nash'])
  },
)

test(
  'finds phone numbers, last names and names without accents, and opens a single result on Enter',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await createThreeStudents(dojo)
    await dojo.createStudent({ name: 'Zoë Müller', phone_number: '737-555-0199' })
    await signIn(page, dojo)
    await visit('/students')
    const search = page.getByPlaceholder('Search students...')
    for (const text of ['7375550199', '(737) 555', '+1 737 555 0199', 'muller', 'Müller, Zoe']) {
      await search.fill(text)
      await expectVisibleStudents(page, ['Zoë Müller'])
    }
    await expectInRow(page, 'Zoë Müller', ['(737) 555-0199'])
    await search.press('Enter')
    await expect(page.getByRole('heading', { name: 'Zoë Müller', level: 1 })).toBeVisible()
    await page.goBack()
    await search.fill('e')
    await search.press('Enter')
    await expectVisibleStudents(page, ['Ann Lee', 'Ann Lee', 'Ben Moss', 'Cleo Nash', 'Zoë Müller'])
  },
)

test(
  'restores the search, the filter and the scroll position on Back',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const { id } = await dojo.createClass()
    for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
      await dojo.createStudent({
        name: `Student ${letter}`,
        is_trial: true,
        enrolled_classes: [id],
      })
    await signIn(page, dojo)
    await visit('/students?filter=trial')
    await page.getByPlaceholder('Search students...').fill('student')
    await expect(page).toHaveURL(/search=student/)
    await expect(page.getByRole('button', { name: /^Edit / })).toHaveCount(26)
    await page.getByRole('button', { name: 'Edit Student T' }).scrollIntoViewIfNeeded()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(300)
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: /Payment/ })
      .click()
    await expect(page.getByRole('button', { name: /^Mark Paid for/ }).first()).toBeVisible()
    await page.goBack()
    await expect(page.getByPlaceholder('Search students...')).toHaveValue('student')
    await expectFilter(page, 'Status', 'Trial')
    // The heights of cards that were never drawn are estimates, so the test compares students
    // instead of pixels.
    await expect(page.getByRole('button', { name: 'Edit Student T' })).toBeInViewport()
    await page.reload()
    await expect(page.getByPlaceholder('Search students...')).toHaveValue('student')
  },
)

test(
  'shows the search and the first names on a phone without scrolling',
  { tag: '@both' },
  async ({ page, dojo, visit, isDesktop }) => {
    test.skip(isDesktop, 'for the phone')
    for (const class_name of ['Little Dragons', 'Teens', 'Adults', 'Open Mat']) {
      const { id } = await dojo.createClass({ class_name })
      for (const letter of 'ABC')
        await dojo.createStudent({ name: `${class_name} ${letter}`, enrolled_classes: [id] })
    }
    await signIn(page, dojo)
    await visit('/students')
    await expect(page.getByPlaceholder('Search students...')).toBeInViewport()
    for (const name of ['Little Dragons A', 'Little Dragons B'])
      await expect(page.getByText(name, { exact: true })).toBeInViewport()
  },
)

test(
  'switches between students and the attendance view',
  { tag: '@long' },
  async ({ page, dojo, visit, layoutPath }) => {
    await signIn(page, dojo)
    await visit('/students?filter=trial')
    await page.getByRole('button', { name: 'Attendance' }).click()
    await expect(page.getByRole('button', { name: 'Mark Attendance' })).toBeVisible()
    await expect(page.getByPlaceholder('Search students...')).toHaveCount(0)
    await expect(page).toHaveURL(`${layoutPath}/students?filter=trial`)
    await page.getByRole('button', { name: 'Back to Student Center' }).click()
    await expectFilter(page, 'Status', 'Trial')
    await page.getByRole('button', { name: 'Attendance' }).click()
    await expect(page.getByRole('button', { name: 'Mark Attendance' })).toBeVisible()
    await page.goBack()
    await expect(page.getByPlaceholder('Search students...')).toBeVisible()
  },
)

test('shows an empty dojo what to do first', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  await visit('/students')
  await expect(
    page.getByText('No classes created yet. Create classes in Class Center to organize students.'),
  ).toBeVisible()
  await expect(page.getByText('No students found')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Open Class Center' }).click()
  await expect(page.getByRole('heading', { name: 'Class Management' })).toBeVisible()
  await dojo.createClass()
  await visit('/students')
  await page.getByRole('button', { name: 'Enroll your first student' }).click()
  await expect(page.getByRole('dialog', { name: 'Enroll New Student' })).toBeVisible()
})

test('filters the list with the row of classes', async ({ page, dojo, visit }) => {
  await createThreeStudents(dojo)
  await signIn(page, dojo)
  await visit('/students')
  const classButton = (name: RegExp) =>
    page.getByRole('region', { name: 'Students by Class' }).getByRole('button', { name })
  await classButton(/^Teens/).click()
  await expect(classButton(/^Teens/)).toHaveAttribute('aria-pressed', 'true')
  await expectVisibleStudents(page, ['Ann Lee', 'Ben Moss'])
  await expect(page.getByRole('status').getByText('2 of 3 students')).toBeVisible()
  await page.reload()
  await expectVisibleStudents(page, ['Ann Lee', 'Ben Moss'])
  await classButton(/^Little Dragons/).click()
  await expectVisibleStudents(page, ['Ann Lee'])
  await chooseFilter(page, 'Status', 'Trial')
  await expect(page.getByText('No students found')).toBeVisible()
  await page.getByRole('button', { name: 'Show all students' }).click()
  await expectVisibleStudents(page, ['Ann Lee', 'Ann Lee', 'Ben Moss', 'Cleo Nash'])
  await classButton(/^Teens/).click()
  await classButton(/^Teens/).click()
  await expectVisibleStudents(page, ['Ann Lee', 'Ann Lee', 'Ben Moss', 'Cleo Nash'])
})

test(
  'reaches every class without scrolling the row of classes sideways',
  { tag: '@both' },
  async ({ page, dojo, isDesktop, visit }) => {
    await createThreeStudents(dojo)
    for (const letter of ['A', 'B', 'C', 'D', 'E', 'F'])
      await dojo.createClass({ class_name: `Competition Team ${letter}` })
    await signIn(page, dojo)
    await visit('/students')
    const summary = page.getByRole('region', { name: 'Students by Class' })
    await expect(summary.getByRole('button', { name: /^Competition Team F/ })).toBeVisible()
    if (isDesktop) {
      const hiddenWidth = await summary.evaluate((row) => row.scrollWidth - row.clientWidth)
      expect(hiddenWidth).toBe(0)
      return
    }
    const list = summary.getByRole('combobox', { name: 'Class' })
    await list.selectOption('Teens')
    await expectVisibleStudents(page, ['Ann Lee', 'Ben Moss'])
    await list.selectOption('All classes')
    await expectVisibleStudents(page, ['Ann Lee', 'Ann Lee', 'Ben Moss', 'Cleo Nash'])
  },
)

test(
  'keeps the column headings while the list scrolls, and counts the filtered students',
  { tag: '@both' },
  async ({ page, dojo, isDesktop, visit }) => {
    test.skip(!isDesktop, 'A phone has cards.')
    await createThreeStudents(dojo)
    await signIn(page, dojo)
    await page.setViewportSize({ width: 1440, height: 560 })
    await visit('/students')
    await expect(page.getByText('3 students', { exact: true })).toBeVisible()
    const heading = page.getByRole('columnheader', { name: 'Phone' })
    await page.getByRole('button', { name: 'Edit Cleo Nash' }).hover()
    await page.mouse.wheel(0, 2000)
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100)
    await heading.click({ trial: true })
    await expect(heading).toBeInViewport()
    await chooseFilter(page, 'Status', 'Former')
    await expect(page.getByText('3 students', { exact: true })).toHaveCount(0)
  },
)

test('shows a parent’s phone number to call for a child without one', async ({
  page,
  dojo,
  visit,
}) => {
  await dojo.createStudent({
    name: 'Leo Diaz',
    phone_number: '',
    guardian: { name: 'Rosa Diaz', relation: 'mother', phone: '512 555 0177' },
  })
  await dojo.createStudent({
    name: 'Zoe Young',
    phone_number: '',
    guardian: { name: 'Ann Young', relation: 'mother' },
  })
  await signIn(page, dojo)
  await visit('/students')
  const callLink = page.getByRole('link', {
    name: /^Call Rosa Diaz, Mother \(\d{3}\) \d{3}-\d{4}$/,
  })
  await expect(callLink).toHaveAttribute('href', /^tel:/)
  await expectInRow(page, 'Zoe Young', ['No phone number'])
  await expectAccessible(page)
})

test('shows class cards without counts if the students could not be loaded', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/status of 403/)
  await createThreeStudents(dojo)
  await signIn(page, dojo)
  await page.route(/api\/students$/, (route) =>
    route.fulfill({ status: 403, json: { detail: 'Not now' } }),
  )
  await visit('/students')
  const cards = page.getByRole('region', { name: 'Students by Class' }).getByRole('listitem')
  await expect(cards.first()).toContainText('Students not loaded')
  await expect(page.getByText('0 students')).toHaveCount(0)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(cards.first()).toContainText(/\d student/)
})

test(
  'shows empty lists and logs warnings when students and classes cannot be loaded',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    const warnings = collectWarnings(page)
    allowErrors(/status of 403/)
    await createThreeStudents(dojo)
    await signIn(page, dojo)
    await page.route(/api\/(students|classes)$/, (route) =>
      route.fulfill({ status: 403, json: { detail: 'Not now' } }),
    )
    await visit('/students')
    await expect(page.getByText('No students found')).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(page.getByText('0 students')).toHaveCount(0)
    await expect(page.getByText('No classes created yet')).toHaveCount(0)
    expect(warnings.toSorted()).toEqual([
      'GET /classes failed: status 403',
      'GET /students failed: status 403',
    ])
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectVisibleStudents(page, ['Ann Lee', 'Ann Lee', 'Ben Moss', 'Cleo Nash'])
  },
)

import { classesApi } from '@tatami/contract/classes/classes'
import { familiesApi } from '@tatami/contract/families/families'
import { studentsApi } from '@tatami/contract/students/students'
import { call } from './api.ts'
import type { Dojo } from './dojo.ts'
import { expect, expectAccessible, expectAllAccessible, signIn, test } from './harness.ts'
import { chooseFile, openImport, pasteSheet, pressImport } from './import-sheet.ts'

const HEADINGS =
  'First Name\tLast Name\tBirthday\tEmail\tCell Phone\tRank\tProgram\tFee\tEmergency Contact\tEmergency Phone'
const KIDS = 'Ava Ben Cleo Dan Eva Finn Gia Hugo Iris Jon'.split(' ')
const FAMILIES = 'Adams Brooks Chen Diaz Evans Ford Garcia Haddad Ito Jones Kim Lopez'.split(' ')

/** Creates the rows of twelve families. Each family has a parent's email and ten children. */
const createFamilyRows = () =>
  FAMILIES.flatMap((family, familyIndex) =>
    KIDS.map((kid, kidIndex) =>
      [
        kid,
        family,
        `${(kidIndex % 12) + 1}/${(familyIndex % 12) + 14}/${2012 + (kidIndex % 6)}`,
        `${family}@home.example`,
        `(512) 555-${String(familyIndex * 10).padStart(4, '0')}`,
        ['White', 'Yellow Belt', 'green', '3rd kyu (brown)'][kidIndex % 4],
        kidIndex % 2 ? 'Kids' : 'Kids; Saturday',
        `$${80 + kidIndex}.50`,
        `Pat ${family}`,
        `(512) 555-${String(familyIndex * 10 + 1).padStart(4, '0')}`,
      ].join('\t'),
    ),
  )

const listStudents = (dojo: Dojo) => call(studentsApi.list, {}, dojo.token)

test('imports 120 students from a spreadsheet in three taps, and undoes it', async ({
  page,
  dojo,
  visit,
}) => {
  await signIn(page, dojo)
  await visit('/students')
  await page.getByRole('link', { name: 'Import students' }).first().click()
  await expect(page.getByRole('heading', { name: 'Paste your list, or drop a file' })).toBeVisible()
  await expectAccessible(page)
  await pasteSheet(page, [HEADINGS, ...createFamilyRows()].join('\n'))
  await expect(page.getByText('120 new students')).toBeVisible()
  await expect(page.getByText('12 families, with 12 new guardians')).toBeVisible()
  await expectAccessible(page)
  await pressImport(page, 'Import 120 students')
  const students = await listStudents(dojo)
  expect(students).toHaveLength(120)
  expect(students[0]).toMatchObject({
    name: 'Ava Adams',
    belt_level: 'white',
    guardians: [{ name: 'Pat Adams', pays: true }],
  })
  await page.getByRole('button', { name: 'Undo import of 120 new students' }).click()
  const question = page.getByRole('alertdialog', { name: 'Undo import' })
  await expect(
    question.getByText(
      'Remove the 120 students, 12 guardians, and 2 classes that this import added?',
    ),
  ).toBeVisible()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await listStudents(dojo)).toHaveLength(120)
  await page.getByRole('button', { name: 'Undo import of 120 new students' }).click()
  await question.getByRole('button', { name: 'Undo import' }).click()
  await expect(
    page.getByText('120 students removed · 12 guardians removed · 2 classes removed'),
  ).toBeVisible()
  expect(await listStudents(dojo)).toEqual([])
})

const NO_RESPONSE =
  'The server didn’t answer. The import may have gone through. Press Import again: no one will be added twice.'

test('adds no student twice when the page is reloaded during an import', async ({
  page,
  dojo,
  visit,
}) => {
  await openImport(page, dojo, visit)
  await pasteSheet(page, 'Name\tBirthday\nKen Adams\t3/4/2014\nMia Ruiz\t5/6/2015')
  const importButton = page.getByRole('button', { name: 'Import 2 students' })
  await expect(importButton).toBeEnabled()
  // The server runs the import, but its response never arrives.
  await page.route('**/api/student-imports', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fetch()
  })
  await importButton.click()
  await expect.poll(async () => (await listStudents(dojo)).length).toBe(2)
  await page.reload()
  await page.unroute('**/api/student-imports')
  await expect(page.getByText(NO_RESPONSE)).toBeVisible()
  await expectAccessible(page)
  await pressImport(page, 'Import 2 students')
  expect(await listStudents(dojo)).toHaveLength(2)
})

test('says that an import without a response may have worked, and adds no student twice', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/ERR_FAILED/)
  await openImport(page, dojo, visit)
  await pasteSheet(page, 'Name\tBirthday\nKen Adams\t3/4/2014\nMia Ruiz\t5/6/2015')
  const importButton = page.getByRole('button', { name: 'Import 2 students' })
  await page.route('**/api/student-imports', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fetch()
    await route.abort()
  })
  await importButton.click()
  await expect(page.getByText(NO_RESPONSE)).toBeVisible()
  await expect(page.getByText(/Nothing was changed/)).toHaveCount(0)
  await page.unroute('**/api/student-imports')
  await page.reload()
  await pressImport(page, 'Import 2 students')
  expect(await listStudents(dojo)).toHaveLength(2)
  // After the first import has been confirmed, importing the same list is a new import.
  await visit('/import-students')
  await pasteSheet(page, 'Name\tBirthday\nKen Adams\t3/4/2014\nMia Ruiz\t5/6/2015')
  await pressImport(page, 'Import 2 students')
  expect(await listStudents(dojo)).toHaveLength(4)
})

test('says that nothing was changed if the server refuses the import', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/status of 422/)
  await openImport(page, dojo, visit)
  await pasteSheet(page, 'Name\nKen Adams')
  await page.route('**/api/student-imports', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 422, json: {} })
      : route.fallback(),
  )
  await page.getByRole('button', { name: 'Import 1 student' }).click()
  await expect(
    page.getByText('The students could not be imported. Nothing was changed.'),
  ).toBeVisible()
  await expect(page.getByText(NO_RESPONSE)).toHaveCount(0)
})

test('recognizes a list that was imported before', async ({ page, dojo, visit }) => {
  const list = 'Name\tDOB\tParent\tParent Phone\nKen Adams\t3/14/2014\tAnn Adams\t512-555-0142'
  await openImport(page, dojo, visit)
  await pasteSheet(page, list)
  await pressImport(page, 'Import 1 student')
  await visit('/import-students')
  await pasteSheet(page, list)
  const table = page.getByRole('table', { name: 'Ken Adams compared with Ken Adams' })
  await expect(table.getByRole('row', { name: /^Guardian same/ })).toHaveText(
    /Ann Adams.*Ann Adams/,
  )
  await expect(table.getByRole('row', { name: /^Guardian’s phone same/ })).toHaveText(
    /512-555-0142.*512-555-0142/,
  )
  await expect(page.getByRole('radio', { name: 'Same person', exact: true })).toBeChecked()
  await expectAllAccessible(page)
  await page.getByRole('button', { name: 'Complete 1 row' }).click()
  await expect(page.getByRole('heading', { name: 'Students imported' })).toBeVisible()
  expect(await listStudents(dojo)).toHaveLength(1)
})

test('shows problems next to their cells, and keeps the sheet through a reload and Back', async ({
  page,
  dojo,
  visit,
  isDesktop,
}) => {
  await dojo.createStudent({ name: 'Mia Chen', date_of_birth: '2014-05-06' })
  await signIn(page, dojo)
  await visit('/students')
  if (!isDesktop) await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('link', { name: 'Import students' }).first().click()
  await pasteSheet(
    page,
    'Name\tBday\tBelt\nKen Adams\t3/1/2015\tpurple\nMia Chen\t5/6/2014\tgreen\nBo Li\t2/30/2016\twhite',
  )
  await expect(page.getByText('2 rows skipped until fixed')).toBeVisible()
  await expectAllAccessible(page)
  const belt = page.getByRole('textbox', { name: isDesktop ? 'Belt of row 1' : 'Belt' })
  await expect(belt).toHaveAccessibleDescription(/Please enter white, yellow/)
  await belt.fill('blue')
  await belt.press('Enter')
  await expect(page.getByText('1 row skipped until fixed')).toBeVisible()
  await page.reload()
  await expect(page.getByText('1 row skipped until fixed')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Student Center' })).toBeAttached()
  await page.goForward()
  // A row that is skipped no longer counts as a duplicate.
  await page.getByRole('radio', { name: 'Skip', exact: true }).press('Space')
  await page.getByRole('button', { name: 'Import 1 student', exact: true }).click()
  await expect(page.getByText('Fix the row below and import again.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Skip / })).toHaveCount(1)
  await expect(page.getByText('Row 3', { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Skip Bo Li' }).click()
  await expect(page.getByText('1 row skipped by you')).toBeVisible()
  const students = await listStudents(dojo)
  expect(students.map(({ name, belt_level }) => [name, belt_level])).toEqual([
    ['Ken Adams', 'blue'],
    ['Mia Chen', 'white'],
  ])
})

test('asks about possible families and duplicates, which stay separate until the answer', async ({
  page,
  dojo,
  visit,
}) => {
  await openImport(page, dojo, visit)
  await pasteSheet(
    page,
    [
      'Name\tDOB\tEmail\tParent\tParent Phone',
      'Ken Smith\t3/4/2013\t\tAnn Smith\t512-555-0142',
      'Mia Smith\t3/4/2015\t\tAnn Smith\t737-555-0188',
      'Sam Lee\t3/4/2013\tlee@home.example\t\t',
      'Samantha Lee\t3/4/2013\tlee@home.example\t\t',
      'Tom Fox\t3/4/2013\tnoemail@noemail.com\t\t',
    ].join('\n'),
  )
  await expect(page.getByText('5 new students')).toBeVisible()
  await expect(page.getByText(/noemail@noemail.com \(1 row\) skipped: placeholder/)).toBeVisible()
  await expect(page.getByText('3 families, with 3 new guardians')).toBeVisible()
  const question = page.getByRole('radiogroup', { name: 'Is “Ann Smith” the same person?' })
  const table = page.getByRole('table', { name: 'Is “Ann Smith” the same person?' })
  await expect(table.getByRole('columnheader')).toHaveText(['Detail', 'Row 1', 'Row 2'])
  await expect(table.getByRole('row', { name: /^Phone/ })).toHaveText(
    /different.*512-555-0142.*737-555-0188/,
  )
  await expect(question.getByRole('radio', { name: 'Two people' })).toBeChecked()
  const duplicateQuestion = page.getByRole('radiogroup', {
    name: 'Are Samantha Lee and Sam Lee the same person?',
  })
  await expect(duplicateQuestion.getByRole('radio', { name: 'Two people' })).toBeChecked()
  await expectAllAccessible(page)
  // With the keyboard, an arrow key selects the next answer.
  await question.getByRole('radio', { name: 'Two people' }).press('ArrowRight')
  await expect(question.getByRole('radio', { name: 'Same person' })).toBeChecked()
  await expect(page.getByText('2 families, with 2 new guardians')).toBeVisible()
  await page.goBack()
  await page.goForward()
  await expect(question.getByRole('radio', { name: 'Same person' })).toBeChecked()
  await pressImport(page, 'Import 5 students')
  const students = await listStudents(dojo)
  const findGuardianIds = (name: string) =>
    students.find((student) => student.name === name)?.guardians?.map(({ id }) => id)
  expect(findGuardianIds('Mia Smith')).toEqual(findGuardianIds('Ken Smith'))
  expect(findGuardianIds('Samantha Lee')).toEqual(findGuardianIds('Sam Lee'))
  expect(findGuardianIds('Tom Fox')).toEqual([])
})

test('creates a family of two of three students who share an email', async ({
  page,
  dojo,
  visit,
}) => {
  await openImport(page, dojo, visit)
  await pasteSheet(
    page,
    [
      'Name\tDOB\tEmail',
      'Ken Adams\t3/4/2015\tpat@home.example',
      'Mia Ruiz\t3/4/2015\tpat@home.example',
      'Tom Lee\t3/4/2015\tpat@home.example',
    ].join('\n'),
  )
  await expect(page.getByText('3 new students')).toBeVisible()
  const family = page.getByRole('group', { name: 'Check everyone in the same family' })
  await expect(family.getByRole('checkbox', { checked: true })).toHaveCount(0)
  await family.getByLabel('Row 1: Ken Adams').check()
  await family.getByLabel('Row 3: Tom Lee').check()
  await expect(page.getByText('1 family, with 1 new guardian')).toBeVisible()
  await expectAllAccessible(page)
  await pressImport(page, 'Import 3 students')
  const students = await listStudents(dojo)
  const findGuardianIds = (name: string) =>
    students.find((student) => student.name === name)?.guardians?.map(({ id }) => id)
  expect(findGuardianIds('Ken Adams')).toHaveLength(1)
  expect(findGuardianIds('Tom Lee')).toEqual(findGuardianIds('Ken Adams'))
  expect(findGuardianIds('Mia Ruiz')).toEqual([])
})

test('suggests new names for classes with numbers in their names, and allows changing them', async ({
  page,
  dojo,
  visit,
}) => {
  await openImport(page, dojo, visit)
  await pasteSheet(page, 'Name\tClass\nKen Adams\tUnder 14\nMia Ruiz\tUnder 16\nTom Lee\tMon 17:00')
  await expect(page.getByText('3 new classes')).toBeVisible()
  const nameField = (className: string) => page.getByLabel(`What “${className}” will be called`)
  await expect(nameField('Under 14')).toHaveValue('Under Fourteen')
  await expect(nameField('Mon 17:00')).toHaveValue('Mon Five PM')
  await expectAccessible(page)
  await nameField('Under 16').fill('Teens 2')
  await nameField('Under 16').press('Enter')
  await expect(nameField('Under 16')).toHaveValue('Teens')
  await pressImport(page, 'Import 3 students')
  const classes = await call(classesApi.list, {}, dojo.token)
  expect(classes.map(({ class_name }) => class_name).toSorted()).toEqual([
    'Mon Five PM',
    'Teens',
    'Under Fourteen',
  ])
})

test(
  'reads a workbook, and lets the user change what a column means',
  { tag: '@long' },
  async ({ page, dojo, visit, isDesktop }) => {
    await openImport(page, dojo, visit)
    await page.getByLabel('CSV or XLSX file').setInputFiles('contract/test/sheets/zen-planner.xlsx')
    await expect(page.getByText('4 new students')).toBeVisible()
    await expect(page.getByText('2 new classes')).toBeVisible()
    if (!isDesktop) await page.getByText(/columns used/).click()
    await page.getByLabel(isDesktop ? 'Meaning of Program' : 'Program').selectOption('Skip')
    await expect(page.getByText('2 new classes')).toBeHidden()
    await expect(page.getByRole('button', { name: 'Import 4 students' })).toBeEnabled()
  },
)

test(
  'shows next to the cell how a name with invalid characters is changed',
  { tag: '@long' },
  async ({ page, dojo, visit, isDesktop }) => {
    await openImport(page, dojo, visit)
    await pasteSheet(
      page,
      "First name\tLast name\tBelt\nTom\tO''Brien\twhite\nMary-Ann\t(Smith-Jones)\tgreen\nĐặng\tŁukasz\tblue",
    )
    await expect(
      page.getByText("2 names were written without special characters, such as “Tom O'Brien”"),
    ).toBeVisible()
    const surname = page
      .getByRole('textbox', { name: isDesktop ? 'Last name of row 1' : 'Last name' })
      .first()
    await expect(surname).toHaveAccessibleDescription(
      "Becomes “Tom O'Brien”, without the other characters",
    )
    await expectAccessible(page)
    await surname.fill('O Brien')
    await surname.press('Enter')
    await expect(
      page.getByText('1 name was written without special characters: “Mary-Ann Smith-Jones”'),
    ).toBeVisible()
    await pressImport(page, 'Import 3 students')
    expect((await listStudents(dojo)).map(({ name }) => name).toSorted()).toEqual([
      'Mary-Ann Smith-Jones',
      'Tom O Brien',
      'Đặng Łukasz',
    ])
  },
)

test('skips students who left, asks what a status means, and says who gets no texts', async ({
  page,
  dojo,
  visit,
}) => {
  await openImport(page, dojo, visit)
  await pasteSheet(
    page,
    [
      'Name\tPhone\tStatus\tDo Not Text',
      'Ken Adams\t512-555-0142\tActive\t',
      'Hal Firth\t512-555-0143\tPassed away\t',
      'Mia Ruiz\t512-555-0144\t1\tYes',
      'TEENS\t\t\t',
      'Ana Diaz\t555-0145\tActive\t',
      'Eva Park\t512-555-0146\t\t',
    ].join('\n'),
  )
  await expect(page.getByText('2 new students')).toBeVisible()
  await expect(page.getByText('1 person skipped: your sheet says they left')).toBeVisible()
  await expect(page.getByText('1 row skipped: a heading or a total')).toBeVisible()
  await page.getByText('Choose for each person').click()
  const personWhoLeft = page.getByLabel('Hal Firth', { exact: true })
  await expect(personWhoLeft).toHaveAccessibleDescription('Status: Passed away')
  await expectAllAccessible(page)
  await page.getByLabel('“1” (1 row)').selectOption('Trains here')
  await page.getByLabel('Blank (1 row)').selectOption('Trains here')
  await expect(page.getByText('1 phone won’t get texts, as your sheet says')).toBeVisible()
  await personWhoLeft.selectOption('Trains here')
  await expect(page.getByText('5 new students')).toBeVisible()
  await pressImport(page, 'Import 5 students')
  expect((await listStudents(dojo)).map(({ name }) => name)).toEqual([
    'Ana Diaz',
    'Eva Park',
    'Hal Firth',
    'Ken Adams',
    'Mia Ruiz',
  ])
})

test('reads all rows after an unclosed quotation mark, and shows where it is', async ({
  page,
  dojo,
  visit,
}) => {
  await openImport(page, dojo, visit)
  await chooseFile(
    page,
    'list.csv',
    'Name,Notes,Email\r\nKen Adams,"brings his own gi,ken@example.com\r\nMia Ruiz,,mia@example.com\r\nTom Lee,,tom@example.com\r\n',
  )
  await expect(page.getByText('3 new students')).toBeVisible()
  await expect(
    page.getByText('A quotation mark is never closed in the row that begins with “Ken Adams”'),
  ).toBeVisible()
  await expectAllAccessible(page)
})

test(
  'refuses a file that is too large, with advice',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await openImport(page, dojo, visit)
    await chooseFile(page, 'list.csv', Buffer.alloc(10_000_000, '"'))
    await expect(
      page.getByText(
        'This sheet is too large. Copy the cells with your students and paste them here.',
      ),
    ).toBeVisible()
  },
)

test('does not bring back a removed guardian when the same list is imported again', async ({
  page,
  dojo,
  visit,
}) => {
  const list = 'Name\tDOB\tFather\tFather Email\nKen Adams\t3/4/2014\tBob Adams\tbob@home.example'
  await openImport(page, dojo, visit)
  await pasteSheet(page, list)
  await pressImport(page, 'Import 1 student')
  const [ken] = await listStudents(dojo)
  const params = { id: ken?.guardians[0]?.id ?? '', studentId: ken?.id ?? '' }
  await call(familiesApi.unlink, { params }, dojo.token)
  await visit('/import-students')
  await pasteSheet(page, list)
  await expect(
    page.getByText('Bob Adams is in the list but no longer linked to Ken Adams'),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Complete 1 row' })).toBeVisible()
  await expectAccessible(page)
})

import { ledgerApi } from '@tatami/contract/ledger/ledger'
import { owingApi } from '@tatami/contract/dues/owing'
import { studentsApi } from '@tatami/contract/students/students'
import { strToU8, zipSync } from 'fflate'
import { call } from './api.ts'
import { expect, expectAllAccessible, test } from './harness.ts'
import { chooseFile, openImport, pasteSheet, pressImport } from './import-sheet.ts'

test('asks which month fees are paid through, and what a balance means', async ({
  page,
  dojo,
  visit,
}) => {
  await openImport(page, dojo, visit)
  await pasteSheet(
    page,
    'Name\tMonthly fee\tBalance\tJoin Date',
    'Ken Adams\t95\t45.00\t3/4/2019',
    'Mia Ruiz\t80\t\t',
  )
  const month = page.getByLabel('Paid through which month?')
  await expect(month.locator('option:checked')).toHaveText(/\(this month\)$/)
  const balance = page.getByRole('radiogroup', { name: 'What does a balance of 45.00 mean?' })
  await expect(balance.getByRole('radio', { name: 'Leave balances out' })).toBeChecked()
  await expectAllAccessible(page)
  await balance.getByRole('radio', { name: 'They owe it' }).press('Space')
  await expect(page.getByText('1 new student owes $45.00.')).toBeVisible()
  await page.reload()
  await expect(balance.getByRole('radio', { name: 'They owe it' })).toBeChecked()
  await pressImport(page, 'Import 2 students')
  await expect(
    page.getByText(/^1 student has paid through .* is the next month due\.$/),
  ).toBeVisible()
  // Only the balance is owed, not the month that was paid elsewhere.
  expect(await call(owingApi.list, {}, dojo.token)).toMatchObject([{ total: 45 }])
  expect(await call(ledgerApi.balances, {}, dojo.token)).toMatchObject([{ owed: 45, credit: 0 }])
})

test('shows the first rows and asks what the columns are if it finds no names', async ({
  page,
  dojo,
  visit,
  isDesktop,
}) => {
  await openImport(page, dojo, visit)
  await pasteSheet(page, 'Etunimi\tSukunimi', 'Aino\tVirtanen', 'Eero\tNieminen')
  await expect(page.getByRole('heading', { name: 'What is in each column?' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled()
  await page.getByLabel('The first row has headings, not a student').check()
  await expectAllAccessible(page)
  const column = (heading: string) =>
    page.getByLabel(isDesktop ? `Meaning of ${heading}` : heading, { exact: true })
  await column('Etunimi').selectOption('First name')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'What is in each column?' })).toBeVisible()
  await column('Sukunimi').selectOption('Last name')
  await page.getByRole('button', { name: 'Continue' }).click()
  await pressImport(page, 'Import 2 students')
  const students = await call(studentsApi.list, {}, dojo.token)
  expect(students.map(({ name }) => name)).toEqual(['Aino Virtanen', 'Eero Nieminen'])
})

test('offers templates with an unknown belt, or asks once which belt it is', async ({
  page,
  dojo,
  visit,
}) => {
  await openImport(page, dojo, visit)
  await pasteSheet(
    page,
    'Name\tBelt',
    'Ken Adams\tPurple w/ 2 stripes',
    'Mia Ruiz\tPurple',
    'Tom Lee\tWhite',
    'Ana Diaz\tFire',
  )
  await expect(page.getByText('3 rows skipped until fixed')).toBeVisible()
  await expect(page.getByLabel('“Purple” (2 rows)')).toHaveValue('unknown')
  await expectAllAccessible(page)
  await page.getByRole('button', { name: /^Brazilian jiu-jitsu, adults/ }).click()
  await expect(page.getByText('1 row skipped until fixed')).toBeVisible()
  await page.getByLabel('“Fire” (1 row)').selectOption('No belt yet')
  await pressImport(page, 'Import 4 students')
  const students = await call(studentsApi.list, {}, dojo.token)
  expect(students.find(({ name }) => name === 'Ken Adams')?.rank).toMatchObject({
    name: 'Purple',
    stripes: 2,
  })
})

test('adds stripes to the school’s belts if the user agrees, and shows them', async ({
  page,
  dojo,
  visit,
}) => {
  await openImport(page, dojo, visit)
  await pasteSheet(
    page,
    'Name\tBelt',
    'Ken Adams\tWhite w/ 1 stripe',
    'Mia Ruiz\tBlue III',
    'Tom Lee\tYellow',
  )
  await expect(page.getByText('2 rows skipped until fixed')).toBeVisible()
  await expect(
    page.getByText(
      'Your sheet has more stripes than your belts here: White up to 1 and Blue up to 3.',
    ),
  ).toBeVisible()
  await expect(page.getByText('Every belt can then have up to 4 stripes.')).toBeVisible()
  await expect(
    page.getByRole('button', { name: 'Brazilian jiu-jitsu, adults (IBJJF): 2 of 3 belts' }),
  ).toBeVisible()
  const question = page.getByRole('radiogroup', { name: 'Should your belts get these stripes?' })
  await expect(question.getByRole('radio', { checked: true })).toHaveCount(0)
  await expectAllAccessible(page)
  await question.getByRole('radio', { name: 'Add stripes to my belts' }).press('Space')
  await expect(page.getByText('3 new students')).toBeVisible()
  await page.reload()
  await expect(question.getByRole('radio', { name: 'Add stripes to my belts' })).toBeChecked()
  await pressImport(page, 'Import 3 students')
  const students = await call(studentsApi.list, {}, dojo.token)
  expect(students.map(({ name, rank }) => [name, rank?.name, rank?.stripes])).toEqual([
    ['Ken Adams', 'White', 1],
    ['Mia Ruiz', 'Blue', 3],
    ['Tom Lee', 'Yellow', 0],
  ])
  await visit('/students')
  await expect(page.getByText('Blue belt, 3 stripes').first()).toBeVisible()
})

test('asks what the degree of a black belt is', async ({ page, dojo, visit }) => {
  await openImport(page, dojo, visit)
  await pasteSheet(page, 'Name\tRank', 'Ken Adams\tBlack 2nd degree', 'Mia Ruiz\tShodan')
  await expect(page.getByText('1 row skipped until fixed')).toBeVisible()
  await expect(page.getByText(/the degree is saved in the notes/)).toBeVisible()
  await expectAllAccessible(page)
  await page.getByLabel('“Black 2nd degree” (1 row)').selectOption('Black')
  await pressImport(page, 'Import 2 students')
  const students = await call(studentsApi.list, {}, dojo.token)
  expect(students.map(({ belt_level }) => belt_level)).toEqual(['black', 'black'])
})

const buildRowXml = (name: string, index: number) => {
  const cell = `<c r="A${index + 1}" t="inlineStr"><is><t>${name}</t></is></c>`
  return `<row r="${index + 1}">${cell}</row>`
}
const buildSheetXml = (...names: string[]) =>
  strToU8(`<worksheet><sheetData>${names.map(buildRowXml).join('')}</sheetData></worksheet>`)
const WORKSHEET_TYPE =
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet'
const buildRelationship = (number: number) =>
  `<Relationship Id="rId${number}" Type="${WORKSHEET_TYPE}" ` +
  `Target="worksheets/sheet${number}.xml"/>`
const WORKBOOK_WITH_THREE_SHEETS = zipSync({
  'xl/workbook.xml': strToU8(
    '<workbook xmlns:r="r"><sheets><sheet name="Instructions" sheetId="1" r:id="rId1"/>' +
      '<sheet name="Roster" sheetId="2" r:id="rId2"/>' +
      '<sheet name="Empty" sheetId="3" r:id="rId3"/></sheets></workbook>',
  ),
  'xl/_rels/workbook.xml.rels': strToU8(
    `<Relationships>${buildRelationship(1)}${buildRelationship(2)}${buildRelationship(3)}</Relationships>`,
  ),
  'xl/worksheets/sheet1.xml': buildSheetXml('How to use this file'),
  'xl/worksheets/sheet2.xml': buildSheetXml('Name', 'Ken Adams'),
  'xl/worksheets/sheet3.xml': buildSheetXml('Name'),
})

test('asks which sheet has the students, and how names are spelled', async ({
  page,
  dojo,
  visit,
}) => {
  await openImport(page, dojo, visit)
  await chooseFile(page, 'list.xlsx', WORKBOOK_WITH_THREE_SHEETS)
  await expect(page.getByRole('heading', { name: 'Which sheet has your students?' })).toBeVisible()
  await expectAllAccessible(page)
  await page.getByRole('button', { name: /^Empty/ }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'We found no students in this sheet. Choose another one.',
  )
  await page.getByRole('button', { name: /^Roster/ }).click()
  await expect(page.getByText('1 new student')).toBeVisible()
  await page.getByRole('button', { name: 'Start over' }).click()
  const question = page.getByRole('alertdialog', { name: 'Start over?' })
  await expectAllAccessible(page)
  await question.getByRole('button', { name: 'Start over' }).click()
  // In Windows-1250, this is Michčle and Petrović.
  await chooseFile(page, 'list.csv', Buffer.from('Name\nMich\xe8le Ko\nLuka Petrovi\xe6', 'latin1'))
  await expect(page.getByRole('heading', { name: 'How are these names spelled?' })).toBeVisible()
  await expectAllAccessible(page)
  await page.getByRole('button', { name: 'Michčle, Petrović' }).click()
  await pressImport(page, 'Import 2 students')
  const students = await call(studentsApi.list, {}, dojo.token)
  expect(students.map(({ name }) => name)).toEqual(['Luka Petrović', 'Michčle Ko'])
})

test('keeps what is typed in a cell when the page is reloaded', async ({
  page,
  dojo,
  visit,
  isDesktop,
}) => {
  await openImport(page, dojo, visit)
  await pasteSheet(page, 'Name\tBelt', 'Ken Adams\tWhite', 'Mia Ruiz\t?!')
  await expect(page.getByText('1 row skipped until fixed')).toBeVisible()
  await page.getByRole('textbox', { name: isDesktop ? 'Belt of row 2' : 'Belt' }).fill('Blue')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Import 2 students' })).toBeVisible()
})

test('reports that a file is empty or has only headings', async ({ page, dojo, visit }) => {
  await openImport(page, dojo, visit)
  await chooseFile(page, 'empty.csv', '')
  await expect(page.getByRole('alert')).toHaveText('This sheet is empty.')
  await chooseFile(page, 'headings.csv', 'Name,Email,Phone\n')
  await expect(page.getByRole('alert')).toContainText('This sheet has only headings.')
})

test('asks once whether a debt includes the fee of this month', async ({ page, dojo, visit }) => {
  await openImport(page, dojo, visit)
  await pasteSheet(page, 'Name\tMonthly fee\tPast Due', 'Mia Ruiz\t95\t95.00')
  await page.getByRole('radio', { name: 'They owe it', exact: true }).press('Space')
  const month = page.getByLabel('Paid through which month?')
  await month.selectOption({ index: 0 })
  const question = page.getByRole('radiogroup', { name: /^Does the balance include the fee for / })
  await expect(question.getByRole('radio', { name: 'Yes' })).toBeChecked()
  await expect(page.getByText('1 new student owes $95.00.')).toBeVisible()
  await expectAllAccessible(page)
  await question.getByRole('radio', { name: /^No/ }).press('Space')
  await expect(page.getByText(/^1 new student owes \$190\.00, with the fee for /)).toBeVisible()
  await question.getByRole('radio', { name: 'Yes' }).press('Space')
  await pressImport(page, 'Import 1 student')
  await expect(page.getByText(/have paid through|has paid through/)).toHaveCount(0)
  expect(await call(owingApi.list, {}, dojo.token)).toMatchObject([{ total: 95 }])
})

test('explains what to do with a web page saved as .xls', async ({ page, dojo, visit }) => {
  await openImport(page, dojo, visit)
  await chooseFile(page, 'list.xls', '<html><table><tr><td>Ken</td></tr></table></html>')
  await expect(page.getByRole('alert')).toContainText('This file is actually a web page')
  await pasteSheet(page, 'Name', 'Ken Adams')
  await expect(page.getByText('1 new student')).toBeVisible()
})

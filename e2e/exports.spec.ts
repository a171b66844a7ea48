import { readFileSync } from 'node:fs'
import type { Download, Page } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { createGuardian } from './families.ts'
import { pressAction } from './filters.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'
import { createThreeStudents } from './students.ts'

/** Presses the button and returns the downloaded file. */
async function downloadAfter(page: Page, press: () => Promise<void>): Promise<Download> {
  const download = page.waitForEvent('download')
  await press()
  return download
}
const readBytes = async (download: Download) => readFileSync(await download.path())
const readZip = async (download: Download) =>
  Object.fromEntries(
    Object.entries(unzipSync(await readBytes(download))).map(([name, bytes]) => [
      name,
      strFromU8(bytes),
    ]),
  )
const readNames = async (download: Download) =>
  (await readBytes(download))
    .toString()
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',', 1)[0])

test('an instructor exports everything, and the audit log records it', async ({
  page,
  dojo,
  visit,
  layoutPath,
}) => {
  await createThreeStudents(dojo)
  await signIn(page, dojo)
  await visit('/school')
  await page.getByRole('button', { name: 'Your data' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your data' })
  await expectAccessible(page)
  const file = await downloadAfter(page, () =>
    dialog.getByRole('button', { name: 'Download everything' }).click(),
  )
  expect(file.suggestedFilename()).toMatch(/^tanaka-dojo-everything-\d{4}-\d\d-\d\d\.zip$/)
  const files = await readZip(file)
  expect(files['README.txt']).toContain('All data of Tanaka Dojo')
  expect(files['students.csv']).toContain('Ben Moss')
  await expect(dialog.getByText('Saved to your downloads.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Audit log' }).click()
  await expect(page).toHaveURL(`${layoutPath}/audit-log`)
  const newestEntry = page.getByRole('main').getByRole('listitem').first()
  await expect(newestEntry).toContainText('Aiko Tanaka downloaded all of the dojo’s data')
  await page.getByLabel('Show', { exact: true }).selectOption('Students')
  await expect(newestEntry).toContainText('Aiko Tanaka changed the student Cleo Nash')
  await expectAccessible(page)
  await newestEntry.getByRole('link').click()
  await expect(page).toHaveURL(/\/students\/[\w-]+$/)
})

test(
  'downloads the filtered list or the whole list',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await createThreeStudents(dojo)
    await signIn(page, dojo)
    await visit('/students')
    await page.getByPlaceholder('Search students...').fill('ben')
    await pressAction(page, 'Download CSV')
    const sheet = page.getByRole('dialog', { name: 'Download CSV' })
    await expectAccessible(page)
    const filteredFile = await downloadAfter(page, () =>
      sheet.getByRole('button', { name: '1 student', exact: true }).click(),
    )
    expect(await readNames(filteredFile)).toEqual(['Ben Moss'])
    const fullFile = await downloadAfter(page, () =>
      sheet.getByRole('button', { name: 'All 3 students' }).click(),
    )
    expect(await readNames(fullFile)).toHaveLength(3)
    await page.keyboard.press('Escape')
    await visit('/payment-center')
    await pressAction(page, 'Download CSV')
    const payments = await downloadAfter(page, () =>
      sheet.getByRole('button', { name: /^All of \w+ \d{4}$/ }).click(),
    )
    expect(payments.suggestedFilename()).toMatch(/^tanaka-dojo-payments-.*\.csv$/)
  },
)

test(
  'a mother gets her child’s data from the instructor, or downloads it herself',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const leo = await dojo.createStudent({ name: 'Leo Diaz' })
    const mother = await createGuardian(dojo, [leo])
    await signIn(page, dojo)
    await visit(`/students/${leo.id}`)
    await page.getByRole('button', { name: 'Download data' }).click()
    const dialog = page.getByRole('dialog', { name: 'Data of Leo Diaz' })
    await expect(dialog.getByLabel('Who is it for?')).toHaveValue(mother.id)
    await expectAccessible(page)
    const instructorZip = await readZip(
      await downloadAfter(page, () => dialog.getByRole('button', { name: 'Download' }).click()),
    )
    expect(JSON.parse(instructorZip['student.json']!)).toMatchObject({ name: 'Leo Diaz' })
    expect(instructorZip['guardians.csv']).toBeUndefined()
    await page.keyboard.press('Escape')
    await signIn(page, mother)
    await visit('/dashboard')
    const motherZip = await readZip(
      await downloadAfter(page, () =>
        page.getByRole('button', { name: 'Download data of Leo' }).click(),
      ),
    )
    expect(motherZip['student.json']).toBe(instructorZip['student.json'])
  },
)

test(
  'reports a download that fails',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    await dojo.createStudent()
    await signIn(page, dojo)
    await visit('/students')
    await page.route('**/api/export/students', (route) => route.abort())
    await pressAction(page, 'Download CSV')
    const sheet = page.getByRole('dialog', { name: 'Download CSV' })
    await sheet.getByRole('button', { name: 'All 1 student' }).click()
    await expect(sheet.getByRole('alert')).toContainText(
      'The file could not be downloaded. Please try again.',
    )
  },
)

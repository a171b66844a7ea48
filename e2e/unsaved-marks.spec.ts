import { WEEKDAYS } from '@tatami/contract/lib/calendar-day'
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { kioskApi } from '@tatami/contract/kiosk/kiosk'
import { kiosksApi } from '@tatami/contract/kiosk/kiosks'
import { call } from './api.ts'
import {
  expect,
  expectAccessible,
  sampleInShortRun,
  signIn,
  test,
  collectWarnings,
} from './harness.ts'
import { createKioskClass } from './kiosk.ts'
import {
  createClassWith,
  attendanceDialog,
  expectMark,
  expectNoMark,
  readSavedMarks,
  routeMarks,
  studentGroup,
  tapMark,
} from './attendance-dialog.ts'

const waitingMarks = (page: Page, marks: string) =>
  page.getByText(`${marks} waiting for network. Stored on this device.`)
const goOnline = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('online')))

test('keeps a failed mark, shown as waiting, until it is sent', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/ERR_FAILED/)
  const { id } = await createClassWith(dojo, 'Ken Adams', 'Mia Chen')
  await signIn(page, dojo)
  await visit(`/attendance?class=${id}`)
  await tapMark(page, 'Mia Chen', 'Present')
  await expect.poll(() => readSavedMarks(dojo)).toEqual(['Mia Chen true'])
  await routeMarks(page, (route) => route.abort())
  const warnings = collectWarnings(page)
  await tapMark(page, 'Mia Chen', 'Absent')
  await tapMark(page, 'Ken Adams', 'Present')
  await expectMark(page, 'Mia Chen', 'Absent')
  await expectMark(page, 'Ken Adams', 'Present')
  for (const name of ['Mia Chen', 'Ken Adams'])
    await expect(studentGroup(page, name)).toHaveAccessibleDescription(/Waiting for network$/)
  await expect(
    attendanceDialog(page).getByText('2 of 2 marked, 1 present, 2 waiting for network'),
  ).toBeVisible()
  const requestFailure = page.waitForEvent('requestfailed', (request) => request.method() === 'PUT')
  await goOnline(page)
  await requestFailure
  await expect(
    attendanceDialog(page).getByText('2 of 2 marked, 1 present, 2 waiting for network'),
  ).toBeVisible()
  expect(warnings).toEqual(['POST /attendance failed: no response'])
  await attendanceDialog(page).getByRole('button', { name: 'Done' }).click()
  await expect(waitingMarks(page, '2 marks (Ken Adams, Mia Chen)')).toBeVisible()
  await page.unrouteAll()
  await goOnline(page)
  await expect.poll(() => readSavedMarks(dojo)).toEqual(['Ken Adams true', 'Mia Chen false'])
  await expect(page.getByText(/waiting for network/)).toHaveCount(0)
})

test('reports a mark that the server refused with an error', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/status of 429/)
  const { id } = await createClassWith(dojo, 'Ken Adams')
  await signIn(page, dojo)
  await visit(`/attendance?class=${id}`)
  await routeMarks(page, (route) =>
    route.fulfill({ status: 429, json: { detail: 'Too many requests at once' } }),
  )
  await tapMark(page, 'Ken Adams', 'Present')
  const retryButton = attendanceDialog(page).getByRole('button', {
    name: 'Ken Adams Not saved: Too many requests at once. Try again',
  })
  await expect(retryButton).toBeVisible()
  await expect(
    attendanceDialog(page).getByText('1 of 1 marked, 1 present, 1 not saved'),
  ).toBeVisible()
  await expect(page.getByText(/waiting for network/i)).toHaveCount(0)
  await expectAccessible(page)
  await attendanceDialog(page).getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('alert')).toContainText(
    'Not saved: 1 mark (Ken Adams). Too many requests at once. Kept on this device. It will be sent again automatically.',
  )
  await page.unrouteAll()
  // The roll, which may still be closing, has a button that ends with these words.
  await page.getByRole('button', { name: 'Try again', exact: true }).click()
  await expect.poll(() => readSavedMarks(dojo)).toEqual(['Ken Adams true'])
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('shows a refused mark, retries it on a tap, and can discard it', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/status of 404/)
  const { id } = await createClassWith(dojo, 'Ken Adams', 'Mia Chen')
  await signIn(page, dojo)
  await visit(`/attendance?class=${id}`)
  await routeMarks(page, (route) =>
    route.fulfill({ status: 404, json: { detail: 'Student not found' } }),
  )
  for (const name of ['Ken Adams', 'Mia Chen']) await tapMark(page, name, 'Present')
  await expect(
    attendanceDialog(page).getByText('2 of 2 marked, 2 present, 2 not saved'),
  ).toBeVisible()
  await page.unrouteAll()
  await attendanceDialog(page)
    .getByRole('button', { name: 'Ken Adams Not saved: Student not found. Try again' })
    .click()
  await expect.poll(() => readSavedMarks(dojo)).toEqual(['Ken Adams true'])
  await attendanceDialog(page).getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('alert')).toContainText(
    'Not saved: 1 mark (Mia Chen). Student not found',
  )
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('asks which mark is right if an absent student has checked in at the kiosk', async ({
  page,
  dojo,
  visit,
}) => {
  const { classId, students } = await createKioskClass(dojo, ['Ken Adams'])
  const { token } = await call(kiosksApi.create, { body: { name: 'Front door' } }, dojo.token)
  await call(
    kiosksApi.setPin,
    { params: { id: students[0]!.id }, body: { pin: '2468' } },
    dojo.token,
  )
  await signIn(page, dojo)
  await visit(`/attendance?class=${classId}`)
  await expectNoMark(page, 'Ken Adams', 'Present')
  await call(
    kioskApi.checkIn,
    { body: { id: randomUUID(), class_id: classId, pin: '2468' } },
    token,
  )
  await tapMark(page, 'Ken Adams', 'Absent')
  const kenRow = studentGroup(page, 'Ken Adams')
  await expect(kenRow.getByRole('button')).toHaveText(['You: Absent', 'Kiosk: Present'])
  await expect(kenRow).toHaveAccessibleDescription('Checked in at the kiosk. Which is right?')
  await expectAccessible(page)
  await kenRow.getByRole('button', { name: 'Kiosk: Present' }).click()
  await expectMark(page, 'Ken Adams', 'Present')
  expect(await readSavedMarks(dojo)).toEqual(['Ken Adams true'])
})

for (const [moment, waitForRetry] of sampleInShortRun([
  ['when the browser is back online', goOnline],
  ['after thirty seconds', (page: Page) => page.clock.fastForward(30_100)],
] as const)) {
  test(`a failed tap is sent again ${moment}, from any screen and after a reload`, async ({
    page,
    dojo,
    visit,
    allowErrors,
    layoutPath,
  }) => {
    allowErrors(/ERR_FAILED/)
    const { id } = await createClassWith(dojo, 'Ken Adams')
    await signIn(page, dojo)
    await page.clock.install()
    await visit(`/attendance?class=${id}`)
    await routeMarks(page, (route) => route.abort())
    await tapMark(page, 'Ken Adams', 'Absent')
    await expect(
      attendanceDialog(page).getByText('1 of 1 marked, 0 present, 1 waiting for network'),
    ).toBeVisible()
    await attendanceDialog(page).getByRole('button', { name: 'Done' }).click()
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: /Dashboard/ })
      .click()
    await expect(waitingMarks(page, '1 mark (Ken Adams)')).toBeVisible()
    await expect(page).toHaveURL(layoutPath || /dashboard/)
    await page.reload()
    await expect(waitingMarks(page, '1 mark (Ken Adams)')).toBeVisible()
    await page.unrouteAll()
    await waitForRetry(page)
    await expect.poll(() => readSavedMarks(dojo)).toEqual(['Ken Adams false'])
    await expect(page.getByText(/waiting for network/)).toHaveCount(0)
  })
}

test(
  'confirms a logout that would lose a mark, and stays logged in on Cancel',
  { tag: '@long' },
  async ({ page, dojo, visit, isDesktop, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    const { id } = await createClassWith(dojo, 'Ken Adams')
    await signIn(page, dojo)
    await visit(`/attendance?class=${id}`)
    await routeMarks(page, (route) => route.abort())
    await tapMark(page, 'Ken Adams', 'Absent')
    await attendanceDialog(page).getByRole('button', { name: 'Done' }).click()
    await expect(waitingMarks(page, '1 mark (Ken Adams)')).toBeVisible()
    const questions: string[] = []
    const logOut = async (answer: 'accept' | 'dismiss') => {
      page.once('dialog', (dialog) => {
        questions.push(`${dialog.type()}: ${dialog.message()}`)
        void dialog[answer]()
      })
      await page.getByRole('button', { name: 'Logout' }).click()
    }
    if (!isDesktop) await page.getByRole('button', { name: 'Account' }).click()
    await logOut('dismiss')
    await expect(page.getByRole('button', { name: 'Logout' })).toBeEnabled()
    expect(await readSavedMarks(dojo)).toEqual([])
    await logOut('accept')
    await expect(page).toHaveURL('/')
    expect(questions).toEqual(Array(2).fill('confirm: 1 mark not sent yet. Log out and lose it?'))
  },
)

test(
  'saves the last of several quick marks, even if the first fails',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    const { id } = await createClassWith(dojo, 'Ken Adams')
    await signIn(page, dojo)
    await visit(`/attendance?class=${id}`)
    const { promise: gate, resolve: abortFirst } = Promise.withResolvers<void>()
    let isFirst = true
    await routeMarks(page, async (route) => {
      if (!isFirst) return route.fallback()
      isFirst = false
      await gate
      return route.abort()
    })
    for (const mark of ['Present', 'Absent', 'Present', 'Absent'] as const)
      await tapMark(page, 'Ken Adams', mark)
    await expectMark(page, 'Ken Adams', 'Absent')
    abortFirst()
    await expect.poll(() => readSavedMarks(dojo)).toEqual(['Ken Adams false'])
    await expectMark(page, 'Ken Adams', 'Absent')
  },
)

test(
  'returns to the dashboard from a class opened there',
  { tag: '@long' },
  async ({ page, dojo, visit, layoutPath }) => {
    await dojo.createClass({ class_days: [...WEEKDAYS] })
    await signIn(page, dojo)
    await visit('/dashboard')
    await page.getByRole('link', { name: 'Mark Little Dragons' }).click()
    await expect(attendanceDialog(page)).toBeVisible()
    await attendanceDialog(page).getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('heading', { name: 'Birthday Details' })).toBeVisible()
    expect(new URL(page.url()).pathname).toBe(layoutPath || '/dashboard')
  },
)

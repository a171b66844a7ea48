import type { Page } from '@playwright/test'
import { profileApi } from '@tatami/contract/profile/profile'
import { call, createSession } from './api.ts'
import {
  attendanceDialog,
  expectMark,
  expectNoMark,
  readSavedMarks,
  studentGroup,
  tapMark,
} from './attendance-dialog.ts'
import { createDailyClassWith, prepareDevice, testOnNetwork as test } from './device.ts'
import { createDojo, PASSWORD } from './dojo.ts'
import { createGrading } from './gradings.ts'
import { expect, expectAccessible } from './harness.ts'
import { countStored, readAllStorage } from './phone.ts'
import { waitUntilSent } from './roll-page.ts'

const expectWaiting = (page: Page, name: string) =>
  expect(studentGroup(page, name)).toHaveAccessibleDescription(/Waiting for network/)
const pressDone = (page: Page) =>
  attendanceDialog(page).getByRole('button', { name: 'Done' }).click()
/** Tells the page that the device is online, as a browser does. */
const goOnline = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event('online')))
const logIn = async (page: Page, email: string) => {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
}

const NEW_VERSION = '0123456789ab'
const readVersion = (page: Page) => page.locator('meta[name="version"]').getAttribute('content')
/** Checks for a new version, as the browser does once a day and the page once an hour. */
const checkForNewVersion = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    await registration?.update()
  })

test('waits with a new version until Reload is pressed, and keeps the unsent marks', async ({
  device,
  dojo,
  network,
}) => {
  const { id } = await createDailyClassWith(dojo, ['Ken Adams'])
  const roll = `/attendance?class=${id}`
  const { page } = await prepareDevice(device, dojo, roll)
  const version = await readVersion(page)
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  network.setVersion(NEW_VERSION)
  await checkForNewVersion(page)
  await tapMark(page, 'Ken Adams', 'Present')
  await expect.poll(() => readSavedMarks(dojo)).toEqual(['Ken Adams true'])
  await pressDone(page)
  const updateNotice = page.getByRole('complementary', { name: 'New version' })
  await expect(updateNotice).toContainText('A new version is ready')
  await expectAccessible(page)
  network.setState('cut')
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Student/ })
    .click()
  await expect(page.getByText('Ken Adams').first()).toBeVisible()
  expect(
    [await page.evaluate(() => 'isSamePage' in window), await readVersion(page)],
    'loads nothing before the tap',
  ).toEqual([true, version])
  await device.open(page, roll)
  await tapMark(page, 'Ken Adams', 'Absent')
  await expectWaiting(page, 'Ken Adams')
  await pressDone(page)
  await updateNotice.getByRole('button', { name: 'Reload' }).click()
  await expect.poll(() => readVersion(page)).toBe(NEW_VERSION)
  await expect(
    page.getByText('1 mark (Ken Adams) waiting for network. Stored on this device.'),
  ).toBeVisible()
  await expect(updateNotice).toHaveCount(0)
  network.setState('up')
  await goOnline(page)
  await expect.poll(() => readSavedMarks(dojo)).toEqual(['Ken Adams false'])
})

test(
  'uses a postponed new version at the next start',
  { tag: '@long' },
  async ({ device, dojo, network }) => {
    await createDailyClassWith(dojo, ['Ken Adams'])
    const { context, page } = await prepareDevice(device, dojo, '/students')
    const version = await readVersion(page)
    network.setVersion(NEW_VERSION)
    await checkForNewVersion(page)
    const updateNotice = page.getByRole('complementary', { name: 'New version' })
    await updateNotice.getByRole('button', { name: 'Later' }).click()
    await expect(updateNotice).toHaveCount(0)
    expect(await readVersion(page)).toBe(version)
    await context.close()
    const restartedPhone = await device.start()
    await device.open(restartedPhone.page, '/students')
    await expect(restartedPhone.page.getByText('Ken Adams').first()).toBeVisible()
    expect(await readVersion(restartedPhone.page)).toBe(NEW_VERSION)
    network.setState('cut')
    await restartedPhone.page.reload()
    await expect(restartedPhone.page.getByText('Ken Adams').first()).toBeVisible()
    await expect(
      restartedPhone.page.getByRole('complementary', { name: 'New version' }),
    ).toHaveCount(0)
    expect(await readVersion(restartedPhone.page)).toBe(NEW_VERSION)
  },
)

test('keeps unsent marks after the session ended, and sends them at the account’s next login', async ({
  device,
  dojo,
  network,
}) => {
  const deskSession = await createSession(dojo.email, dojo.password)
  const { id } = await createDailyClassWith(dojo, ['Ken Adams'])
  const { page } = await prepareDevice(device, dojo, `/attendance?class=${id}`)
  network.setState('cut')
  await tapMark(page, 'Ken Adams', 'Absent')
  await expectWaiting(page, 'Ken Adams')
  await call(profileApi.logout, {}, dojo.token)
  network.setState('up')
  await goOnline(page)
  await expect(page.getByRole('alert')).toHaveText(/^Your session has ended/)
  await expect.poll(() => countStored(page, 'copies')).toBe(0)
  expect(await countStored(page, 'marks')).toBe(1)
  expect(await readAllStorage(page), 'no names are stored after the session').not.toContain(
    'Ken Adams',
  )
  expect(network.arrivedMarks).toEqual([])
  await logIn(page, dojo.email)
  await expect
    .poll(() => readSavedMarks({ ...dojo, token: deskSession.token }))
    .toEqual(['Ken Adams false'])
  await expectMark(page, 'Ken Adams', 'Absent')
  expect(await countStored(page, 'marks')).toBe(0)
  expect(network.arrivedMarks).toHaveLength(1)
})

test(
  'deletes unsent marks of an ended session when another account logs in',
  { tag: '@long' },
  async ({ device, dojo, network }) => {
    const { id } = await createDailyClassWith(dojo, ['Ken Adams'])
    const otherDojo = await createDojo()
    await createDailyClassWith(otherDojo, ['Mia Chen'])
    const deskSession = await createSession(dojo.email, dojo.password)
    const { page } = await prepareDevice(device, dojo, `/attendance?class=${id}`)
    network.setState('cut')
    await tapMark(page, 'Ken Adams', 'Absent')
    await expectWaiting(page, 'Ken Adams')
    await call(profileApi.logout, {}, dojo.token)
    network.setState('up')
    await goOnline(page)
    await expect(page).toHaveURL('/login')
    await logIn(page, otherDojo.email)
    // The previous account had this screen open.
    await expect(page).toHaveURL(/attendance/)
    await device.open(page, '/students')
    await expect(page.getByText('Mia Chen').first()).toBeVisible()
    await expect(page.getByText(/waiting for network/)).toHaveCount(0)
    await expect.poll(() => countStored(page, 'marks')).toBe(0)
    expect(await readAllStorage(page)).not.toContain('Ken Adams')
    expect([
      network.arrivedMarks,
      await readSavedMarks({ ...dojo, token: deskSession.token }),
    ]).toEqual([[], []])
  },
)

test('shows a mark in both browser tabs and sends it once, online and offline', async ({
  device,
  dojo,
  network,
}) => {
  const { id, students } = await createDailyClassWith(dojo)
  const roll = `/attendance?class=${id}`
  const { context, page } = await prepareDevice(device, dojo, roll)
  const otherTab = await context.newPage()
  await device.open(otherTab, roll)
  await expectNoMark(otherTab, 'Ken Adams', 'Present')
  // The other tab can get its data only from the first tab.
  await otherTab.route('**/api/attendance?*', () => {})
  await tapMark(page, 'Ken Adams', 'Present')
  await expect.poll(() => readSavedMarks(dojo)).toEqual(['Ken Adams true'])
  await expectMark(otherTab, 'Ken Adams', 'Present')
  await otherTab.unrouteAll()
  network.setState('cut')
  await tapMark(page, 'Mia Chen', 'Absent')
  await expectMark(otherTab, 'Mia Chen', 'Absent')
  await tapMark(otherTab, 'Aiko Tanaka', 'Present')
  for (const tab of [page, otherTab])
    for (const name of ['Mia Chen', 'Aiko Tanaka']) await expectWaiting(tab, name)
  await expectMark(page, 'Aiko Tanaka', 'Present')
  network.setState('up')
  await Promise.all([waitUntilSent(page), waitUntilSent(otherTab)])
  expect(await readSavedMarks(dojo)).toEqual([
    'Aiko Tanaka true',
    'Ken Adams true',
    'Mia Chen false',
  ])
  const sentMarks = network.arrivedMarks.map(
    ({ student_id, present }) =>
      `${students.find((student) => student.id === student_id)?.name} ${present}`,
  )
  expect(sentMarks.toSorted(), 'once each').toEqual([
    'Aiko Tanaka true',
    'Ken Adams true',
    'Mia Chen false',
  ])
  for (const tab of [page, otherTab]) {
    await expectMark(tab, 'Mia Chen', 'Absent')
    await expectMark(tab, 'Aiko Tanaka', 'Present')
  }
})

test('opens students, classes, rolls, shortcuts and belt tests offline, and shows their age', async ({
  device,
  dojo,
  network,
  layoutPath,
  isDesktop,
}) => {
  const { id } = await createDailyClassWith(dojo, ['Aiko Tanaka'])
  const { grading } = await createGrading(dojo)
  const candidate = (page: Page) => page.getByText('Leo Diaz').filter({ visible: true }).first()
  const preparedPhone = await prepareDevice(device, dojo, `/gradings/${grading.id}`)
  await expect(candidate(preparedPhone.page)).toBeVisible()
  await preparedPhone.context.close()
  network.setState('cut')
  const { page } = await device.start()
  const expectAgeNote = (area: { getByText: Page['getByText'] } = page) =>
    expect(area.getByText(/Offline · as of \d/).first()).toBeVisible()
  await device.open(page, isDesktop ? '' : '/dashboard')
  await expect(page.getByRole('region', { name: 'Today' })).toContainText('Little Dragons')
  await expectAgeNote()
  await page.goto('/open/students')
  await expect(page).toHaveURL(`${layoutPath}/students`)
  await expect(page.getByText('Aiko Tanaka').first()).toBeVisible()
  await expectAgeNote()
  await page.goto('/open/attendance?class=next')
  await expect(attendanceDialog(page).getByLabel('Class')).toHaveValue(id)
  await expectNoMark(page, 'Aiko Tanaka', 'Present')
  await expectAgeNote(attendanceDialog(page))
  await device.open(page, '/class-center')
  await expect(page.getByText('Little Dragons').first()).toBeVisible()
  await expectAgeNote()
  await device.open(page, `/gradings/${grading.id}`)
  await expect(candidate(page)).toBeVisible()
  await expect(
    page.getByText('No network. This is the belt test as last saved on this device.'),
  ).toBeVisible()
})

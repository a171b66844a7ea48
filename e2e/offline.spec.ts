import type { Page } from '@playwright/test'
import { attendanceApi, toClassDate } from '@tatami/contract/attendance/attendance'
import { call } from './api.ts'
import {
  attendanceDialog,
  expectMark,
  readSavedMarks,
  studentGroup,
  tapMark,
} from './attendance-dialog.ts'
import { createDailyClassWith, prepareDevice, test, readToday } from './device.ts'
import { createDojo } from './dojo.ts'
import { expect, expectAccessible } from './harness.ts'
import { readAllStorage } from './phone.ts'

const expectWaiting = (page: Page, name: string) =>
  expect(studentGroup(page, name)).toHaveAccessibleDescription(/Waiting for network/)

test('a roll works offline and survives an empty battery, and every mark arrives once', async ({
  device,
  dojo,
}) => {
  const { id, students } = await createDailyClassWith(dojo)
  const roll = `/attendance?class=${id}`
  const preparedPhone = await prepareDevice(device, dojo, roll)
  const today = await readToday(preparedPhone.page)
  await preparedPhone.context.close()
  const firstStart = await device.start()
  await device.open(firstStart.page, roll)
  await tapMark(firstStart.page, 'Ken Adams', 'Present')
  await expect.poll(() => readSavedMarks(dojo)).toEqual(['Ken Adams true'])
  await firstStart.context.setOffline(true)
  await tapMark(firstStart.page, 'Mia Chen', 'Absent')
  await tapMark(firstStart.page, 'Aiko Tanaka', 'Present')
  await expectMark(firstStart.page, 'Aiko Tanaka', 'Present')
  await expectWaiting(firstStart.page, 'Mia Chen')
  await firstStart.kill()

  const secondStart = await device.start({ offline: true })
  await device.open(secondStart.page, roll)
  await expect(attendanceDialog(secondStart.page).getByText(/Offline · as of \d/)).toBeVisible()
  await expectMark(secondStart.page, 'Ken Adams', 'Present')
  await expectMark(secondStart.page, 'Mia Chen', 'Absent')
  await expectWaiting(secondStart.page, 'Aiko Tanaka')
  await expect(
    attendanceDialog(secondStart.page).getByText(
      /3 of 4 marked, 2 present.*, 2 waiting for network/,
    ),
  ).toBeVisible()
  await expectAccessible(secondStart.page)
  await attendanceDialog(secondStart.page).getByRole('button', { name: 'Rest present' }).click()
  await expectWaiting(secondStart.page, 'Noah Silva')
  const miaMark = {
    student_id: students[2]!.id,
    class_id: id,
    class_date: toClassDate(today),
    present: true,
  }
  await call(attendanceApi.mark, { body: miaMark }, dojo.token)
  await secondStart.context.setOffline(false)
  await expect
    .poll(() => readSavedMarks(dojo))
    .toEqual(['Aiko Tanaka true', 'Ken Adams true', 'Mia Chen true', 'Noah Silva true'])
  const miaRow = studentGroup(secondStart.page, 'Mia Chen')
  await expect(miaRow.getByRole('button')).toHaveText(['You: Absent', 'Elsewhere: Present'])
  await expectAccessible(secondStart.page)
  await miaRow.getByRole('button', { name: 'You: Absent' }).click()
  await expect
    .poll(() => readSavedMarks(dojo))
    .toEqual(['Aiko Tanaka true', 'Ken Adams true', 'Mia Chen false', 'Noah Silva true'])
  await expect(
    attendanceDialog(secondStart.page).getByText(/4 of 4 marked, 3 present$/),
  ).toBeVisible()
  await expect(secondStart.page.getByText(/Offline/)).toHaveCount(0)
})

test('another account or a logout deletes unsent marks and all stored data', async ({
  device,
  dojo,
  isDesktop,
}) => {
  const { id } = await createDailyClassWith(dojo, ['Ken Adams'])
  await (await prepareDevice(device, dojo, `/attendance?class=${id}`)).context.close()
  const { context, page } = await device.start({ offline: true })
  await device.open(page, `/attendance?class=${id}`)
  await tapMark(page, 'Ken Adams', 'Absent')
  await expectWaiting(page, 'Ken Adams')
  const storedText = await readAllStorage(page)
  expect(storedText).toContain('Ken Adams')
  expect(storedText).not.toContain('phone_number":"+')
  // Another account uses the same phone before this account comes back.
  const otherDojo = await createDojo()
  await createDailyClassWith(otherDojo, ['Mia Chen'])
  await page.evaluate((token) => localStorage.setItem('token', token), otherDojo.token)
  await device.open(page, '/students')
  await expect(page.getByText('Can’t reach Tatami')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('Mia Chen').first()).toBeVisible()
  await expect.poll(() => readAllStorage(page)).not.toContain('Ken Adams')
  expect(await readSavedMarks(dojo)).toEqual([])
  await context.setOffline(true)
  if (!isDesktop) await page.getByRole('button', { name: 'Account' }).click()
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  const remainingText = await readAllStorage(page)
  // The databases and the cached files are gone.
  expect(remainingText).toMatch(/^\[\[\],\[\],/)
  expect(remainingText).not.toMatch(/token|device:|Mia Chen|Ken Adams/)
})

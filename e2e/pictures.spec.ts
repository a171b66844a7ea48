import type { Page } from '@playwright/test'
import { beltsApi } from '@tatami/contract/belts/belts'
import { promotionsApi } from '@tatami/contract/belts/promotions'
import { dojosApi } from '@tatami/contract/dojos/dojos'
import { picturesApi } from '@tatami/contract/pictures/pictures'
import { studentsApi } from '@tatami/contract/students/students'
import { SAMPLE_PICTURE } from '../server/test/sample-picture.ts'
import { call, createSession } from './api.ts'
import { type Dojo, PASSWORD } from './dojo.ts'
import { createGuardian } from './families.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const PICTURE = {
  name: 'leo.jpg',
  mimeType: 'image/jpeg',
  buffer: Buffer.from(SAMPLE_PICTURE, 'base64'),
}
const SVG = { name: 'leo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') }

async function chooseFile(page: Page, label: string, file: typeof PICTURE) {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: label }).click()
  await (await chooser).setFiles(file)
}

const readStudent = async (dojo: Dojo, id: string) =>
  (await call(studentsApi.list, {}, dojo.token)).find((student) => student.id === id)
const setPhoto = (dojo: Dojo, id: string) =>
  call(picturesApi.setPhoto, { params: { id }, body: { picture: SAMPLE_PICTURE } }, dojo.token)
/** Returns the paths of the pictures that the page shows. */
const readLoadedPictures = (page: Page) =>
  page.evaluate(() =>
    [...document.images]
      .filter(({ complete, naturalWidth }) => complete && naturalWidth > 0)
      .map((image) => new URL(image.src).pathname),
  )

const readShownInitials = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-initials]')].map(
      ({ dataset }) => dataset.initials,
    ),
  )

test('an instructor adds a photo, which is cropped to a square, and removes it', async ({
  page,
  dojo,
  visit,
}) => {
  const leo = await dojo.createStudent({ name: 'Leo Diaz' })
  await signIn(page, dojo)
  await visit(`/students/${leo.id}`)
  await page.getByRole('button', { name: 'Add a photo of Leo Diaz' }).click()
  const dialog = page.getByRole('dialog', { name: 'Photo of Leo Diaz' })
  await expect(dialog).toContainText('Ask the family first.')
  await expect(dialog.getByRole('button', { name: 'Save photo' })).toBeDisabled()
  await chooseFile(page, 'Choose a picture', SVG)
  await expect(dialog).toContainText('This file can’t be opened as a picture.')
  await chooseFile(page, 'Choose a picture', PICTURE)
  const zoom = dialog.getByRole('slider', { name: 'Zoom' })
  await zoom.fill('2')
  const crop = dialog.getByRole('application', { name: 'Part of the picture' })
  await crop.press('ArrowLeft')
  await expectAccessible(page)
  const requestPromise = page.waitForRequest((request) => request.method() === 'PUT')
  await dialog.getByRole('button', { name: 'Save photo' }).click()
  const { picture } = (await requestPromise).postDataJSON() as { picture: string }
  // Every upload is a JPEG, which starts with these two bytes.
  expect(Buffer.from(picture, 'base64').subarray(0, 2).toString('hex')).toBe('ffd8')
  await expect(dialog).toBeHidden()
  const photo = (await readStudent(dojo, leo.id))?.photo
  await expect.poll(() => readLoadedPictures(page)).toContain(photo)
  await page.getByRole('button', { name: 'Change the photo of Leo Diaz' }).click()
  await dialog.getByRole('button', { name: 'Remove photo' }).click()
  await expect(page.getByRole('button', { name: 'Add a photo of Leo Diaz' })).toBeVisible()
  expect((await readStudent(dojo, leo.id))?.photo).toBeNull()
})

test('lists and the roll show photos, or initials for students without a photo', async ({
  page,
  dojo,
  visit,
}) => {
  const { id: classId } = await dojo.createClass()
  const enrolled_classes = [classId]
  const leo = await dojo.createStudent({ name: 'Leo Diaz', enrolled_classes })
  await dojo.createStudent({ name: 'Mia Chen', belt_level: 'green', enrolled_classes })
  const { photo } = await setPhoto(dojo, leo.id)
  await signIn(page, dojo)
  for (const path of ['/students', `/attendance?class=${classId}&date=2026-03-02`]) {
    await visit(path)
    await expect.poll(() => readLoadedPictures(page)).toContain(photo)
    await expect.poll(() => readShownInitials(page)).toContain('MC')
    await expectAccessible(page)
  }
})

test('a mother who may edit contacts can see and change the photo of her child', async ({
  page,
  dojo,
  visit,
}) => {
  const leo = await dojo.createStudent({ name: 'Leo Diaz' })
  const mother = await createGuardian(dojo, [leo], { may_edit: true })
  const { photo } = await setPhoto(dojo, leo.id)
  await signIn(page, mother)
  await visit('/dashboard')
  await expect.poll(() => readLoadedPictures(page)).toContain(photo)
  await page.getByRole('button', { name: 'Change the photo of Leo Diaz' }).click()
  await expect(page.getByRole('dialog')).toContainText(
    'The instructors, Leo, and the guardians who may see Leo’s page can see this photo.',
  )
  await expect(page.getByRole('dialog')).not.toContainText('Ask the family first.')
})

test('a school chooses a logo and a color, which the join page shows', async ({
  page,
  dojo,
  visit,
}) => {
  await signIn(page, dojo)
  await visit('/school')
  await page.getByRole('button', { name: 'Logo and color' }).click()
  await chooseFile(page, 'Choose a logo', PICTURE)
  await expect(page.getByRole('button', { name: 'Change logo' })).toBeVisible()
  const color = page.getByLabel('Color', { exact: true })
  await color.fill('#f2c230')
  await page.getByRole('button', { name: 'Use this color' }).click()
  await expect(page.getByText('This color is hard to see on white.')).toBeVisible()
  await color.fill('#1e3a8a')
  await page.getByRole('button', { name: 'Use this color' }).click()
  await expect(page.getByRole('button', { name: 'No color' })).toBeVisible()
  await expectAccessible(page)
  const { invite_code } = await call(dojosApi.invitation, {}, dojo.token)
  // The join page sends logged-in users to their dashboard.
  await signIn(page, { token: '' })
  await page.goto(`/join/${invite_code}`)
  await expect(page.getByText('Tanaka Dojo')).toBeVisible()
  await expect.poll(() => readLoadedPictures(page)).toEqual([expect.stringMatching(/^\/logos\//)])
  await expectAccessible(page)
})

test('a student shares a card of a new belt, with only the first name on it', async ({
  page,
  dojo,
  visit,
}) => {
  const leo = await dojo.createStudent({ name: 'Leo Diaz', belt_level: 'white' })
  const { styles } = await call(beltsApi.show, {}, dojo.token)
  const rank_id = styles[0]?.ladders[0]?.ranks[1]?.id ?? ''
  await call(
    promotionsApi.promote,
    { body: { promotions: [{ student_id: leo.id, rank_id }] } },
    dojo.token,
  )
  await signIn(page, await createSession(leo.email, PASSWORD))
  await visit('/dashboard')
  await page.getByRole('button', { name: 'Share the new belt' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share Leo’s new belt' })
  await expect(dialog.getByRole('img', { name: /^Card: Leo, Yellow belt/ })).toBeVisible()
  await expect(dialog).not.toContainText('Diaz')
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save picture' }).click()
  expect((await download).suggestedFilename()).toBe('new-belt.png')
})

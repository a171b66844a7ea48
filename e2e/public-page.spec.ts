import { addDays, nextWeekday } from '@tatami/contract/lib/calendar-day'
import { publicPageApi } from '@tatami/contract/public-page/public-page'
import { trialsApi } from '@tatami/contract/trials/trials'
import type { Page } from '@playwright/test'
import { SAMPLE_PICTURE } from '../server/test/sample-picture.ts'
import { call } from './api.ts'
import { expect, expectAccessible, horizontalOverflow, signIn, test } from './harness.ts'
import { fillForm, makeFormOlder, newSlug, offerTrials } from './trials.ts'

const main = (page: Page) => page.getByRole('main')

test('an owner turns the page on, offers a trial, and gets a QR code', async ({
  page,
  dojo,
  visit,
}) => {
  await dojo.createClass()
  await signIn(page, dojo)
  await visit('/school')
  await page.getByRole('link', { name: /^Public page/ }).click()
  await page.getByRole('textbox', { name: 'Address', exact: true }).fill('no spaces please')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(main(page)).toContainText('Address may contain letters, digits and single hyphens')
  await page.getByRole('textbox', { name: 'Address', exact: true }).fill(newSlug())
  await page.getByRole('switch', { name: 'Show the page to everybody' }).check()
  await page.getByLabel('Headline').fill('Judo for everybody')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(main(page).getByText('Saved')).toBeVisible()
  await expect(page.getByAltText('QR code for the public page')).toBeVisible()
  await page.getByRole('button', { name: 'Offer a trial' }).click()
  const dialog = page.getByRole('dialog', { name: 'Offer a trial' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toContainText('Choose at least one class')
  await dialog.getByLabel('Little Dragons').check()
  await dialog.getByLabel('Up to age').fill('12')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(main(page)).toContainText('Up to age 12')
  await expectAccessible(page)
  expect(await horizontalOverflow(page)).toBe(0)
  expect(await call(trialsApi.offers, {}, dojo.token)).toMatchObject([
    { name: 'Free trial', max_age: 12, is_on: true },
  ])
})

test('an owner gives a trial a price, which visitors read before they book', async ({
  page,
  dojo,
  visit,
}) => {
  const { slug } = await offerTrials(dojo)
  await signIn(page, dojo)
  await visit('/public-page')
  await page.getByRole('button', { name: 'Edit Free trial' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit the trial' })
  await dialog.getByLabel('Price').fill('$20')
  await expect(dialog.getByLabel('Price')).toHaveValue('20')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  expect(await call(trialsApi.offers, {}, dojo.token)).toMatchObject([{ price: 20 }])
  await page.goto(`/d/${slug}/trial`)
  await main(page).getByRole('link', { name: '$20.00' }).click()
  await main(page).getByRole('link', { name: 'Places free' }).first().click()
  await expect(main(page)).toContainText('This trial costs $20.00. You pay at the school.')
  await expectAccessible(page)
})

test('an owner adds a photo, which visitors see, and removes it', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/status of 422/)
  const { slug } = await offerTrials(dojo)
  await signIn(page, dojo)
  await visit('/public-page')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add a photo' }).click()
  const buffer = Buffer.from(SAMPLE_PICTURE, 'base64')
  await (await chooser).setFiles({ name: 'mat.jpg', mimeType: 'image/jpeg', buffer })
  const dialog = page.getByRole('dialog', { name: 'Add a photo' })
  await dialog.getByRole('button', { name: 'Add photo' }).click()
  await expect(dialog).toContainText('What the photo shows is required')
  await dialog.getByLabel('What the photo shows').fill('Children on the mat')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add photo' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByAltText('Children on the mat')).toBeVisible()
  await expectAccessible(page)
  await page.goto(`/d/${slug}`)
  const photo = page.getByRole('link', { name: 'Children on the mat' })
  await expect(photo).toBeVisible()
  await expectAccessible(page)
  expect(await horizontalOverflow(page)).toBe(0)
  await visit('/public-page')
  await page.getByRole('button', { name: 'Remove Children on the mat' }).click()
  await expect(page.getByAltText('Children on the mat')).toHaveCount(0)
})

test('an owner sets what a trial asks for, and how many bookings are too many', async ({
  page,
  dojo,
  visit,
}) => {
  await offerTrials(dojo)
  await signIn(page, dojo)
  await visit('/public-page')
  await page.getByLabel('Trials per person and hour').fill('0')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(main(page)).toContainText('must be a whole number from 1 to 100')
  await page.getByLabel('Trials per person and hour').fill('3')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(main(page).getByText('Saved')).toBeVisible()
  expect(await call(publicPageApi.read, {}, dojo.token)).toMatchObject({ bookings_per_hour: 3 })
  await page.getByRole('button', { name: 'Edit Free trial' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit the trial' })
  await dialog.getByLabel('All trials within (days)').fill('14')
  await dialog.getByLabel('Ask for the birthday instead of the age').check()
  await dialog.getByLabel('Ask visitors to sign your documents for trials').uncheck()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  expect(await call(trialsApi.offers, {}, dojo.token)).toMatchObject([
    { within_days: 14, asks_birthday: true, asks_signature: false },
  ])
})

test('a parent books a trial with the keyboard, and the instructor sees the child', async ({
  page,
  dojo,
  visit,
}) => {
  const { slug, dojoClass } = await offerTrials(dojo)
  await page.goto(`/d/${slug}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Judo for everybody')
  await expect(main(page)).toContainText('Little Dragons')
  await expectAccessible(page)
  expect(await horizontalOverflow(page)).toBe(0)
  await page.getByRole('link', { name: 'Book a trial' }).press('Enter')
  await expect(main(page)).toContainText('Ages 5–17')
  await expectAccessible(page)
  await page.getByRole('link', { name: /Little Dragons/ }).press('Enter')
  await expectAccessible(page)
  await page
    .getByRole('link', { name: /4:00 PM/ })
    .last()
    .press('Enter')
  await expect(page.getByLabel('Your child’s first name')).toBeVisible()
  await expectAccessible(page)
  expect(await horizontalOverflow(page)).toBe(0)
  await fillForm(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are booked')
  await expectAccessible(page)
  await signIn(page, dojo)
  await visit('/trials')
  await expect(main(page)).toContainText('With Ana Ruiz')
  await expect(page.getByRole('link', { name: 'Call Ana Ruiz' })).toHaveAttribute(
    'href',
    'tel:+15125550177',
  )
  // Visitors can be marked on the day of the class.
  await expect(page.getByRole('button', { name: 'Came Leo' })).toBeHidden()
  await expectAccessible(page)
  expect(await horizontalOverflow(page)).toBe(0)
  const firstDay = addDays(new Date().toISOString().slice(0, 10), -1)
  const query = { from: firstDay, until: addDays(firstDay, 60) }
  const [trial] = await call(trialsApi.list, { query }, dojo.token)
  await visit(`/attendance?class=${dojoClass.id}&date=${trial?.day}`)
  const roll = page.getByRole('region', { name: 'Trials' })
  await expect(roll).toContainText('Leo')
  await expectAccessible(page)
})

test('a form with mistakes says so beside the fields', async ({ page, dojo, allowErrors }) => {
  allowErrors(/status of 422/)
  const { slug, dojoClass } = await offerTrials(dojo)
  const day = nextWeekday('monday', addDays(new Date().toISOString().slice(0, 10), 2))
  await page.goto(`/d/${slug}/trial?class=${dojoClass.id}&day=${day}`)
  await page.getByLabel('Your child’s first name').fill('Leo')
  await page.getByLabel('Your child’s age').fill('3')
  await page.getByLabel('Your name').fill('Ana Ruiz')
  await makeFormOlder(page)
  await page.getByRole('button', { name: 'Book this trial' }).click()
  await expect(page.getByText('Please enter an email or a phone number.')).toBeVisible()
  await expect(page.getByLabel('Your child’s age')).toHaveAccessibleDescription(
    /This class is for other ages/,
  )
  await expect(page.getByLabel('Your name')).toHaveValue('Ana Ruiz')
  await expectAccessible(page)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('the pages work, and say the time zone', async ({ page, dojo }) => {
    const { slug } = await offerTrials(dojo)
    await page.goto(`/d/${slug}`)
    await expect(page.getByText(/All times are in Central/)).toBeVisible()
    await page.getByRole('link', { name: 'Book a trial' }).click()
    await page.getByRole('link', { name: /Little Dragons/ }).click()
    await page
      .getByRole('link', { name: /4:00 PM/ })
      .first()
      .click()
    await fillForm(page)
  })
})

test('readers see the time zone only if theirs is another one', async ({ browser, dojo, page }) => {
  const { slug, link } = await offerTrials(dojo)
  await page.goto(`/d/${slug}`)
  await expect(page.getByText(/All times are in Central/)).toBeHidden()
  const context = await browser.newContext({ timezoneId: 'America/New_York' })
  const otherPage = await context.newPage()
  await otherPage.goto(new URL(`/d/${slug}`, page.url()).href)
  await expect(otherPage.getByText(/All times are in Central/)).toBeVisible()
  await context.close()
  expect(link).toContain(slug)
})

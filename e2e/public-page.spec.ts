import { addDays, nextWeekday } from '@tatami/contract/lib/calendar-day'
import { publicPageApi } from '@tatami/contract/public-page/public-page'
import { trialsApi } from '@tatami/contract/trials/trials'
import type { Page } from '@playwright/test'
import { call } from './api.ts'
import type { Dojo } from './dojo.ts'
import { expect, expectAccessible, horizontalOverflow, signIn, test } from './harness.ts'

const newSlug = (): string => `dojo-${Math.random().toString(36).slice(2, 10)}`

const PAGE = {
  is_on: true,
  headline: 'Judo for everybody',
  about: 'We have taught children and adults since 1998.',
  bring: 'Water and a T-shirt',
  address: '12 Main Street',
  phone: '512 555 0100',
  language: 'en' as const,
  names_instructors: false,
  allowed_sites: [],
}

const OFFER = {
  name: 'Free trial',
  is_on: true,
  min_age: 5,
  max_age: 17,
  trial_places: null,
  uses_class_places: true,
  days_ahead: 14,
  cutoff_minutes: 0,
  visits: 1,
  sends_reminders: true,
  writes_when_missed: false,
}

async function offerTrials(dojo: Dojo) {
  const dojoClass = await dojo.createClass()
  const slug = newSlug()
  const { link } = await call(publicPageApi.save, { body: { ...PAGE, slug } }, dojo.token)
  await call(trialsApi.addOffer, { body: { ...OFFER, class_ids: [dojoClass.id] } }, dojo.token)
  return { dojoClass, slug, link }
}

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

test('a parent books a trial with the keyboard, and the instructor marks the child', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/status of 422/)
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
    .first()
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
  const cameButton = page.getByRole('button', { name: 'Came Leo' })
  await cameButton.click()
  await expect(cameButton).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(page)
  expect(await horizontalOverflow(page)).toBe(0)
  const firstDay = addDays(new Date().toISOString().slice(0, 10), -1)
  const query = { from: firstDay, until: addDays(firstDay, 20) }
  const [trial] = await call(trialsApi.list, { query }, dojo.token)
  await visit(`/attendance?class=${dojoClass.id}&date=${trial?.day}`)
  const roll = page.getByRole('region', { name: 'Trials' })
  await expect(roll).toContainText('Leo')
  await expect(roll.getByRole('button', { name: 'Came Leo' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expectAccessible(page)
})

/** A person needs some seconds for the form, and a faster one is asked to send it once more. */
async function fillForm(page: Page) {
  await page.getByLabel('Your child’s first name').fill('Leo')
  await page.getByLabel('Your child’s age').fill('8')
  await page.getByLabel('Your name').fill('Ana Ruiz')
  await page.getByLabel('Phone number').fill('512 555 0177')
  await expect(async () => {
    await page.getByRole('button', { name: 'Book this trial' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'You are booked' })).toBeVisible({
      timeout: 500,
    })
  }).toPass()
}

test('a form with mistakes says so beside the fields', async ({ page, dojo, allowErrors }) => {
  allowErrors(/status of 422/)
  const { slug, dojoClass } = await offerTrials(dojo)
  const day = nextWeekday('monday', addDays(new Date().toISOString().slice(0, 10), 2))
  await page.goto(`/d/${slug}/trial?class=${dojoClass.id}&day=${day}`)
  await page.getByLabel('Your child’s first name').fill('Leo')
  await page.getByLabel('Your child’s age').fill('3')
  await page.getByLabel('Your name').fill('Ana Ruiz')
  await expect(async () => {
    await page.getByRole('button', { name: 'Book this trial' }).click()
    await expect(page.getByText('Please enter an email or a phone number.')).toBeVisible({
      timeout: 500,
    })
  }).toPass()
  await expect(page.getByLabel('Your child’s age')).toHaveAccessibleDescription(
    /This class is for other ages/,
  )
  await expect(page.getByLabel('Your name')).toHaveValue('Ana Ruiz')
  await expectAccessible(page)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('the pages work, and say the time zone', async ({ page, dojo, allowErrors }) => {
    allowErrors(/status of 422/)
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

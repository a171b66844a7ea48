import { addDays } from '@tatami/contract/lib/calendar-day'
import { publicPageApi } from '@tatami/contract/public-page/public-page'
import type { Page } from '@playwright/test'
import { sql } from 'drizzle-orm'
import { call } from './api.ts'
import type { Dojo } from './dojo.ts'
import { publishWaiver } from './documents.ts'
import { ALL_DAY, openKiosk, setUpKiosk } from './kiosk.ts'
import { expect, expectAccessible, horizontalOverflow, signIn, test } from './harness.ts'
import { bookByEmail, fillForm, listTrials, makeFormOlder, offerTrials } from './trials.ts'

const main = (page: Page) => page.getByRole('main')

const tomorrow = () => addDays(new Date().toISOString().slice(0, 10), 1)

async function openForm(page: Page, { slug, dojoClass }: Awaited<ReturnType<typeof offerTrials>>) {
  await page.goto(`/d/${slug}/trial?class=${dojoClass.id}&day=${tomorrow()}&for=child`)
}

test(
  'a mother books a trial, signs the waiver on her phone, and the roll misses nothing',
  { tag: '@both' },
  async ({ page, dojo, visit }) => {
    const offer = await offerTrials(dojo, { classFields: ALL_DAY })
    await publishWaiver(dojo)
    await openForm(page, offer)
    await fillForm(page)
    await expect(main(page)).toContainText('The school asks for a signature: Waiver.')
    await expectAccessible(page)
    expect(await listTrials(dojo)).toMatchObject([{ missing_papers: ['Waiver'] }])
    const popup = page.waitForEvent('popup')
    await page.getByRole('link', { name: 'Sign now' }).click()
    const signPage = await popup
    await signForLeo(signPage)
    await expectAccessible(signPage)
    await signPage.close()
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are booked')
    await expect(page.getByRole('link', { name: 'Sign now' })).toHaveCount(0)
    await signIn(page, dojo)
    await visit('/trials')
    await expect(main(page)).toContainText('With Ana Ruiz')
    await expect(main(page)).not.toContainText('Not signed')
  },
)

async function signForLeo(page: Page) {
  await page.getByLabel('I agree to read and sign on a screen').check()
  await page.getByLabel('Yes').check()
  await page.getByLabel('How are you related to Leo?').selectOption('Mother')
  await page.getByLabel('Your phone number').fill('512 555 0177')
  await page.getByLabel('Your full name').fill('Ana Ruiz')
  await page.getByRole('button', { name: 'I sign for Leo' }).click()
  await expect(page.getByRole('heading', { name: 'Signed. Thank you.' })).toBeVisible()
}

test('an unsigned waiver is marked on the roll, beside the number to call', async ({
  page,
  dojo,
  visit,
}) => {
  const offer = await offerTrials(dojo, { classFields: ALL_DAY })
  await publishWaiver(dojo)
  await openForm(page, offer)
  await fillForm(page)
  await signIn(page, dojo)
  const [trial] = await listTrials(dojo)
  await visit(`/attendance?class=${offer.dojoClass.id}&date=${trial?.day}`)
  const roll = page.getByRole('region', { name: 'Trials' })
  await expect(roll).toContainText('Not signed: Waiver')
  await expect(roll.getByRole('link', { name: 'Call Ana Ruiz' })).toBeVisible()
  await expectAccessible(page)
  expect(await horizontalOverflow(page)).toBeLessThanOrEqual(0)
})

test('a visitor checks in at the kiosk with the code of the link, and signs', async ({
  page,
  dojo,
  allowErrors,
}) => {
  // The kiosk first looks for a student with this code.
  allowErrors(/status of 404/)
  const offer = await offerTrials(dojo, { classFields: ALL_DAY })
  await publishWaiver(dojo)
  await setUpKiosk(page, dojo)
  await openForm(page, offer)
  await page.goto(await bookByEmail(page))
  await expect(page.getByRole('heading', { name: 'Before the class' })).toBeVisible()
  const code = page.getByAltText('At the school')
  await expect(code).toBeVisible()
  await expectAccessible(page)
  expect(await horizontalOverflow(page)).toBe(0)
  await letTheDayCome(dojo)
  await showToCamera(page, (await code.getAttribute('src')) ?? '')
  await openKiosk(page, dojo)
  await page.getByRole('button', { name: 'First time here?' }).click()
  await expect(page.getByText(/Please say hello to the instructor/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Scan my code' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome, Leo!' })).toBeVisible()
  // After the greeting, the kiosk asks for the signature by itself.
  await expect(page.getByAltText('QR code to sign for Leo')).toBeVisible()
  expect(await listTrials(dojo)).toMatchObject([{ state: 'came' }])
})

const letTheDayCome = (dojo: Dojo) =>
  dojo.inDatabase((tx) =>
    tx.execute(sql`update bookings set class_date = (now() at time zone 'America/Chicago')::date`),
  )

/** Simulates a camera that sees a phone with the code. */
const showToCamera = (page: Page, picture: string) =>
  page.addInitScript((source) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 })
    const code = Object.assign(new Image(), { src: source })
    setInterval(() => {
      const camera = canvas.getContext('2d')
      if (!camera) return
      camera.fillStyle = '#7a6f66'
      camera.fillRect(0, 0, 640, 480)
      camera.drawImage(code, 190, 100, 260, 260)
    }, 50)
    Object.defineProperty(navigator, 'mediaDevices', {
      value: { getUserMedia: async () => canvas.captureStream() },
    })
  }, picture)

test('a visitor of a full day joins the waitlist and leaves it', async ({ page, dojo }) => {
  const offer = await offerTrials(dojo, { classFields: ALL_DAY, offer: { trial_places: 1 } })
  await openForm(page, offer)
  await fillForm(page)
  await page.goto(`/d/${offer.slug}/trial?class=${offer.dojoClass.id}`)
  await expectAccessible(page)
  await page
    .getByRole('link', { name: /Full · Waitlist/ })
    .first()
    .click()
  await expect(main(page)).toContainText('This class is full.')
  await expectAccessible(page)
  const path = await bookByEmail(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are on the waitlist')
  await expectAccessible(page)
  expect(await horizontalOverflow(page)).toBe(0)
  await page.goto(path)
  await expect(main(page)).toContainText('Leo is on the waitlist')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Leave the waitlist' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Yes, leave' }).click()
  await expect(main(page)).toContainText('This trial is canceled.')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Choose a new day' }).click()
  await expect(page.getByRole('group', { name: 'Which day?' })).toBeVisible()
  await expectAccessible(page)
})

test(
  'the last place goes to one of 20 browsers, and the others keep what they typed',
  { tag: '@long' },
  async ({ page, context, dojo, allowErrors }) => {
    test.slow()
    allowErrors(/status of 409/)
    const offer = await offerTrials(dojo, {
      classFields: ALL_DAY,
      offer: { trial_places: 1 },
      page: { bookings_per_hour: 100 },
    })
    const pages = [page]
    while (pages.length < 20) pages.push(await context.newPage())
    for (const [index, visitorPage] of pages.entries()) {
      await openForm(visitorPage, offer)
      await typeAsVisitor(visitorPage, index)
    }
    const titles = await Promise.all(pages.map(sendForm))
    expect(titles.filter((title) => title === 'You are booked')).toHaveLength(1)
    const loserIndex = titles.findIndex((title) => title !== 'You are booked')
    const loserPage = pages[loserIndex] ?? page
    await expect(loserPage.getByRole('alert')).toContainText('The last place has just been taken.')
    await expect(loserPage.getByLabel('Your name')).toHaveValue(`Ana Ruiz ${LETTERS[loserIndex]}`)
    await expect(loserPage.getByRole('radio').first()).toBeChecked()
    await expect(loserPage.getByRole('radio', { name: /Wait for a place on/ })).toBeVisible()
    await expectAccessible(loserPage)
    expect(await listTrials(dojo)).toHaveLength(1)
  },
)

const LETTERS = 'abcdefghijklmnopqrst'

/** Types all at once, because 20 forms would take long otherwise. */
async function typeAsVisitor(page: Page, index: number) {
  const values = { visitor: 'Leo', age: '8', name: `Ana Ruiz ${LETTERS[index]}` }
  await page.locator('form').evaluate(
    (form: HTMLFormElement, texts: Record<string, string>) => {
      for (const input of form.querySelectorAll('input'))
        input.value = texts[input.name] ?? input.value
    },
    { ...values, email: `browser${index}@home.org` },
  )
  await makeFormOlder(page)
}

/** Returns the title of the page that answers. */
async function sendForm(page: Page): Promise<string | null> {
  await page.getByRole('button', { name: 'Book this trial' }).click()
  const confirmation = page.getByRole('heading', { name: 'You are booked' })
  await expect(confirmation.or(page.getByRole('alert'))).toBeVisible()
  return page.getByRole('heading', { level: 1 }).textContent()
}

test('a page that is off, a wrong link and a closed offer say so', async ({
  page,
  dojo,
  allowErrors,
}) => {
  allowErrors(/status of 404/)
  const offer = await offerTrials(dojo, { offer: { is_on: false } })
  await page.goto(`/d/${offer.slug}/trial`)
  await expect(main(page)).toContainText('There are no trials right now.')
  await expectAccessible(page)
  await page.goto('/b/no-such-link')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link is not valid.')
  await expectAccessible(page)
  const settings = await call(publicPageApi.read, {}, dojo.token)
  await call(publicPageApi.save, { body: { ...settings, is_on: false } }, dojo.token)
  await page.goto(`/d/${offer.slug}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page does not exist.')
  await expectAccessible(page)
})

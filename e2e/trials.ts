/** Schools whose trials visitors book in the browser. */
import { expect, type FrameLocator, type Page } from '@playwright/test'
import { addDays } from '@tatami/contract/lib/calendar-day'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { type PublicPageForm, publicPageApi } from '@tatami/contract/public-page/public-page'
import { type TrialOfferForm, trialsApi } from '@tatami/contract/trials/trials'
import { call } from './api.ts'
import { type Dojo, uniqueEmail } from './dojo.ts'
import { readEmailsTo } from './mail-server.ts'

export const newSlug = (): string => `dojo-${Math.random().toString(36).slice(2, 10)}`

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

type Changes = {
  offer?: Partial<TrialOfferForm>
  page?: Partial<PublicPageForm>
  classFields?: Parameters<Dojo['createClass']>[0]
}

/** Turns the page of a school on and offers trials of a new class. */
export async function offerTrials(dojo: Dojo, { offer, page, classFields }: Changes = {}) {
  const dojoClass = await dojo.createClass(classFields)
  const slug = newSlug()
  const { link, lasting_link } = await call(
    publicPageApi.save,
    { body: { ...PAGE, slug, ...page } },
    dojo.token,
  )
  const body = { ...OFFER, class_ids: [dojoClass.id], ...offer }
  await call(trialsApi.addOffer, { body }, dojo.token)
  const pageId = mustExist(lasting_link?.split('/').at(-1), 'The id of the page')
  return { dojoClass, slug, link, pageId }
}

type FormPage = Pick<FrameLocator, 'getByLabel' | 'getByRole' | 'locator'>
type Contact = { phone?: string; email?: string }

const MINUTE_MS = 60_000

/** As if the form had been opened a minute ago: a program that is faster than people is asked to
 *  send it once more. The key of the form contains when it was opened. */
export const makeFormOlder = (page: FormPage) =>
  page.locator('input[name=key]').evaluate((input: HTMLInputElement, olderBy) => {
    const [openedAt = '', secret = ''] = input.value.split('.')
    input.value = `${(Number.parseInt(openedAt, 36) - olderBy).toString(36)}.${secret}`
  }, MINUTE_MS)

/** Books a place, or on the waitlist if the day is full. */
export async function fillForm(page: FormPage, contact: Contact = { phone: '512 555 0177' }) {
  await page.getByLabel('Your child’s first name').fill('Leo')
  await page.getByLabel('Your child’s age').fill('8')
  await page.getByLabel('Your name').fill('Ana Ruiz')
  if (contact.phone !== undefined) await page.getByLabel('Phone number').fill(contact.phone)
  if (contact.email !== undefined)
    await page.getByLabel('Email', { exact: true }).fill(contact.email)
  await makeFormOlder(page)
  await page.getByRole('button', { name: /^(Book this trial|Join the waitlist)$/ }).press('Enter')
  await expect(
    page.getByRole('heading', { name: /^You are (booked|on the waitlist)$/ }),
  ).toBeVisible()
}

const FIRST_DAYS = 20

/** The trials of the next days, in the order of their days. */
export async function listTrials(dojo: Dojo) {
  const firstDay = addDays(new Date().toISOString().slice(0, 10), -1)
  const query = { from: firstDay, until: addDays(firstDay, FIRST_DAYS) }
  return call(trialsApi.list, { query }, dojo.token)
}

/** Books with a new email. Returns the path of the link in the confirmation. */
export async function bookByEmail(page: Page): Promise<string> {
  const email = uniqueEmail('parent')
  await fillForm(page, { email })
  await expect.poll(() => readEmailsTo(email)).toHaveLength(1)
  const path = /(\/b\/[\w-]+)/.exec(readEmailsTo(email)[0] ?? '')?.[1]
  return mustExist(path, 'The link in the email')
}

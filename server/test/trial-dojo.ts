import type { TrialOfferForm } from '@tatami/contract/trials/trials'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { expect, vi } from 'vitest'
import type { Email } from '../lib/mail.ts'
import { runDueJobs } from '../schedule.ts'
import { setClock } from './clock.ts'
import { startMailServer } from './mail-server.ts'
import { startTestServer } from './test-server.ts'

/** A Monday at 9 AM in Austin. The class of the fixture meets on Mondays and Wednesdays. */
export const MONDAY_MORNING = '2027-03-01T15:00:00Z'
export const MONDAY = '2027-03-01'
export const WEDNESDAY = '2027-03-03'

const OFFER: Omit<TrialOfferForm, 'class_ids'> = {
  name: 'Free trial',
  is_on: true,
  min_age: null,
  max_age: null,
  trial_places: null,
  uses_class_places: true,
  days_ahead: 14,
  cutoff_minutes: 60,
  visits: 1,
  sends_reminders: true,
  writes_when_missed: true,
}

const PAGE = {
  is_on: true,
  headline: 'Judo for everybody',
  bring: 'Water and a T-shirt',
  address: '12 Main Street',
  map_url: 'https://maps.example.com/12',
  phone: '512 555 0100',
  language: 'en',
  names_instructors: false,
  allowed_sites: [],
}

/** What a parent types. */
export const CHILD_FORM = {
  for: 'child',
  visitor: 'Leo',
  age: '8',
  name: 'Ana Ruiz',
  email: 'ana@home.org',
  phone: '',
}

let dojoCount = 0
const MAIL_TIMEOUT_MS = 15_000

/** A server on which schools have a page and offer trials, and visitors book them. */
export async function startServerWithTrials({ stripeApiUrl }: { stripeApiUrl?: string } = {}) {
  const mailServer = await startMailServer()
  const server = await startTestServer({ smtpUrl: mailServer.smtpUrl, stripeApiUrl })

  async function createDojo({
    offer = {},
    page = {},
    className = 'Kids Judo',
  }: { offer?: Partial<TrialOfferForm>; page?: object; className?: string } = {}) {
    const sensei = await server.createSensei()
    const { id: class_id } = await server.createClass(sensei, { class_name: className })
    dojoCount += 1
    const slug = `dojo-${dojoCount}-${Math.random().toString(36).slice(2)}`
    const savedPage = await sensei.put('/public-page', { ...PAGE, slug, ...page })
    const savedOffer = await sensei.post('/trial-offers', {
      ...OFFER,
      class_ids: [class_id],
      ...offer,
    })
    if (savedPage.status !== 200 || savedOffer.status !== 200)
      throw new Error(JSON.stringify([savedPage.body, savedOffer.body]))
    return { sensei, class_id, slug, offer: savedOffer.body, page: savedPage.body }
  }

  async function open(url: string, headers: Record<string, string> = {}) {
    const response = await server.http.inject({ url, headers })
    return { status: response.statusCode, html: response.payload, headers: response.headers }
  }

  async function post(url: string, form: Record<string, string>, remoteAddress = '192.0.2.1') {
    const response = await server.http.inject({
      method: 'POST',
      url,
      remoteAddress,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    })
    return { status: response.statusCode, html: response.payload, headers: response.headers }
  }

  /** The fields that the opened form contains, as a browser would send them. The form of a full
   *  date opens, too, as if it had become full later. */
  async function openForm(slug: string, class_id: string, day: string) {
    const { html } = await open(`/d/${slug}/trial?class=${class_id}&day=${day}&wait=1`)
    const key = /name="key" value="([^"]+)"/.exec(html)?.[1]
    return { class: class_id, day, key: mustExist(key, 'The key of the form'), subject_line: '' }
  }

  /** Books as if the form had been opened a minute ago. */
  async function book(
    { slug, class_id }: { slug: string; class_id: string },
    day: string,
    form: Record<string, string> = {},
    address?: string,
    language = 'en',
  ) {
    const hiddenFields = await openForm(slug, class_id, day)
    const fields = { ...hiddenFields, key: olderKey(hiddenFields.key), ...CHILD_FORM, ...form }
    return post(`/d/${slug}/trial?lang=${language}`, fields, address)
  }

  const mailsTo = async (address: string, count = 1) => {
    // A busy computer may take a moment to deliver them.
    await vi.waitFor(
      () => expect(mailServer.mailsTo(address).length).toBeGreaterThanOrEqual(count),
      {
        timeout: MAIL_TIMEOUT_MS,
        interval: 5,
      },
    )
    return mailServer.mailsTo(address)
  }

  /** The emails that the schedule sends at an instant to one address. */
  async function runSchedule(instant: string, address: string): Promise<Email[]> {
    setClock(instant)
    const emails: Email[] = []
    const fail = (error: unknown) => {
      throw error
    }
    await runDueJobs(server.db, fail, (email) => emails.push(email), 'https://tatami.test')
    return emails.filter(({ to }) => to === address)
  }

  return { server, mailServer, createDojo, open, post, openForm, book, mailsTo, runSchedule }
}

const MINUTE_MS = 60_000

/** People need some time to fill in a form. The key contains when it was opened. */
export function olderKey(key: string): string {
  const [openedAt = '', secret = ''] = key.split('.')
  return `${(Number.parseInt(openedAt, 36) - MINUTE_MS).toString(36)}.${secret}`
}

/** The path of the link in an email. */
export const bookingPathIn = (mail: string): string =>
  mustExist(/https:\/\/tatami\.test(\/b\/[\w-]+)/.exec(mail)?.[1], 'The link in the email')

import { autopayWords } from '@tatami/contract/online-payment/autopay-words'
import type { PayerHome } from '@tatami/contract/online-payment/payer-home'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Email } from '../lib/mail.ts'
import { pollEvents } from '../online-payment/poll-events.ts'
import { createContext } from '../online-payment/stripe-account.ts'
import { performDueTasks } from '../online-payment/worker.ts'
import { runDueJobs } from '../schedule.ts'
import { setClock } from './clock.ts'
import { PASSWORD, signInAs } from './fixtures.ts'
import { PUBLIC_URL, startServerWithStripe } from './server-with-stripe.ts'
import { TEST_KEY } from './stripe/fake-stripe.ts'
import { setBankAnswer, type TestMethod } from './stripe/payment-methods.ts'
import type { ApiClient } from './test-server.ts'

/** Simulating weeks takes long on a busy computer. */
export const LIFE_TIMEOUT_MS = 60_000

export type AgreementChoice = { day_of_month?: number; limit?: number; pays_amount?: number }

/** Returns the wording of the agreement, as the payer's page shows it. */
export function wordsOf(
  { terms }: PayerHome,
  { day_of_month = 1, limit }: AgreementChoice,
): string {
  return autopayWords({
    school: terms.school,
    students: terms.students,
    usualAmount: terms.usual_amount,
    dayOfMonth: day_of_month,
    limit: limit ?? null,
  })
}

const throwError = (error: unknown) => {
  throw error
}

/** Starts a server with a fake Stripe. Tests simulate one day after another, in Chicago's time
 *  zone. */
export async function startServerWithAutopay(
  options: Parameters<typeof startServerWithStripe>[0] = {},
) {
  const online = await startServerWithStripe(options)
  const { server, stripe } = online
  const emails: Email[] = []
  const context = createContext(
    server.db,
    { publicUrl: PUBLIC_URL, stripeApiUrl: stripe.url },
    (email) => void emails.push(email),
  )
  const store = () => stripe.account().store

  /** By default, sets the clock to 18:00 UTC, which is noon or 1 PM in Chicago. */
  const setDay = (day: string, hour = 18) =>
    setClock(`${day}T${String(hour).padStart(2, '0')}:00:00Z`)

  const performTasks = () => performDueTasks(context, throwError)

  /** Sets the clock to noon of a day, and runs that day's jobs. Returns the emails that they
   *  sent. */
  async function liveThrough(day: string, hour = 18): Promise<Email[]> {
    setDay(day, hour)
    stripe.advance()
    const count = emails.length
    const push = (email: Email) => void emails.push(email)
    await runDueJobs(server.db, throwError, push, PUBLIC_URL)
    await performTasks()
    await runDueJobs(server.db, throwError, push, PUBLIC_URL)
    return emails.slice(count)
  }

  /** Opens a new session each time, because a test may last longer than a session's 30 days. */
  const clientOf = async ({ id }: { id: string }): Promise<ApiClient> =>
    server.clientFor(await signInAs(server.db, id))

  async function createPayer(
    day: string,
    children = { Leo: 95, Mia: 80 } as Record<string, number>,
  ) {
    setDay(day)
    // Deactivates the schools of earlier tests, whose jobs would take time and send emails.
    await server.db.withoutDojo((tx) =>
      tx.execute(sql`update accounts set is_active = false where role = 'instructor'`),
    )
    const sensei = await server.createSensei()
    const saving = { secret_key: TEST_KEY, current_password: PASSWORD }
    expect((await sensei.put('/online-payment/account', saving)).status).toBe(200)
    const students = []
    for (const [name, monthly_payment_amount] of Object.entries(children))
      students.push(
        await server.createStudent(sensei, { name: `${name} Diaz`, monthly_payment_amount }),
      )
    const ana = await server.createGuardian(sensei, [], {
      name: 'Ana Diaz',
      phone: '(512) 555-7777',
      students: students.map(({ id }) => ({ student_id: id, relation: 'mother', pays: true })),
    })
    return { sensei, students, ana }
  }
  type Person = { id: string }

  const readHome = async (payer: Person): Promise<PayerHome> => {
    const { body } = await (await clientOf(payer)).get('/payer/home')
    return body.home
  }

  /** Agrees to autopay on the payer's home page. */
  async function agree(payer: Person, choice: AgreementChoice = {}) {
    const { day_of_month = 1, ...fields } = choice
    const words = wordsOf(await readHome(payer), choice)
    const form = { day_of_month, ...fields, is_agreed: true, words }
    return (await clientOf(payer)).post('/payer/autopay', form)
  }
  const sessionIdIn = (url: string): string => url.split('/').at(-1) ?? ''

  /** Pays on Stripe's page. Returns the HTML of the page to which Stripe sends the payer back. */
  async function complete(url: string, method: TestMethod = 'visa'): Promise<string> {
    stripe.pay(sessionIdIn(url), method)
    return (await online.openPage(online.returnPathOf(sessionIdIn(url)))).html
  }

  async function turnOnAutopay(
    payer: Person,
    choice: AgreementChoice = {},
    method: TestMethod = 'visa',
  ): Promise<void> {
    const { status, body } = await agree(payer, choice)
    expect(status).toBe(200)
    await complete(body.url, method)
    await performTasks()
    expect((await readHome(payer)).autopay).not.toBeNull()
  }

  async function queryRows(
    { dojoId }: { dojoId: string },
    query: string,
  ): Promise<Record<string, unknown>[]> {
    const { rows } = await server.db.inDojo(dojoId, (tx) => tx.execute(sql.raw(query)))
    return rows
  }

  /** Returns what Stripe has taken from a school's payers, in cents, oldest first. */
  async function readTaken(dojo: { dojoId: string }): Promise<number[]> {
    const rows = await queryRows(dojo, 'select customer_id from online_payers')
    const customerIds = rows.map(({ customer_id }) => customer_id)
    return [...store().payment_intent.values()]
      .filter(({ status }) => status === 'succeeded' || status === 'processing')
      .filter(({ customer }) => customerIds.includes(customer))
      .map(({ amount }) => amount)
  }
  const payInCash = (sensei: Pick<ApiClient, 'post'>, studentId: string, amount: number) =>
    sensei.post('/payments', { student_id: studentId, amount, method: 'cash' })

  async function savedMethodOf(sensei: { dojoId: string }): Promise<string> {
    const [row] = await queryRows(
      sensei,
      'select method_id from saved_methods where stopped_at is null',
    )
    return String(row?.['method_id'])
  }

  /** Creates a family. Ana, the mother, paid March in cash, and autopay starts on April 1. */
  async function createAutopayer(choice: AgreementChoice = {}, method: TestMethod = 'visa') {
    const family = await createPayer('2026-03-10')
    const { sensei, students, ana } = family
    for (const [index, { id }] of students.entries())
      await payInCash(sensei, id, [95, 80][index] ?? 0)
    await turnOnAutopay(ana, choice, method)
    return {
      ...family,
      method: await savedMethodOf(sensei),
      /** Returns what Stripe has taken from Ana, in cents. */
      taken: () => readTaken(sensei),
      /** Simulates a day. Returns only the emails to Ana, because other tests have schools, too. */
      liveThrough: async (day: string, hour?: number) =>
        (await liveThrough(day, hour)).filter(({ to }) => to === ana.email),
      notices: () => queryRows(sensei, 'select * from charge_notices order by sent_at'),
      debits: () => queryRows(sensei, 'select * from autopay_debits order by due_on'),
      setBank: async (answer: TestMethod) =>
        setBankAnswer(store(), await savedMethodOf(sensei), answer),
      texts: () =>
        queryRows(
          sensei,
          `select m.text from messages m join message_batches b on b.id = m.batch_id
            where b.kind = 'autopay' and m.sent_with is null order by m.id`,
        ),
    }
  }

  return {
    ...online,
    context,
    emails,
    store,
    setDay,
    liveThrough,
    performTasks,
    clientOf,
    createPayer,
    readHome,
    agree,
    complete,
    turnOnAutopay,
    queryRows,
    readTaken,
    payInCash,
    savedMethodOf,
    createAutopayer,
    /** Polls Stripe's events, because a test gets no webhooks, and performs the tasks they
     *  create. */
    async readEvents({ dojoId }: { dojoId: string }): Promise<void> {
      await pollEvents(context, dojoId)
      await performTasks()
    },
  }
}

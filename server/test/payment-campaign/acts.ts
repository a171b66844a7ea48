/** What payers and staff do while servers die and Stripe fails. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { startServerWithAutopay } from '../autopay-payers.ts'
import { signInAs } from '../fixtures.ts'
import { StripeFailure } from '../stripe/failure.ts'
import { failRefund } from '../stripe/refunds.ts'
import { signatureHeader } from '../stripe/webhooks.ts'
import { now } from '../../lib/clock.ts'
import { type Payer, pickMethod, type School } from './payers.ts'
import { chance, random, shuffle } from './random.ts'
import type { ServerPair } from './server-pair.ts'

type Autopay = Awaited<ReturnType<typeof startServerWithAutopay>>
export type Campaign = { autopay: Autopay; servers: ServerPair }

const FORM = 'application/x-www-form-urlencoded'
const MAX_PRESSES = 25
const PRESS_AGAIN_MS = 250

/** Presses Pay until Stripe's page opens. Null if nothing is owed. */
async function openStripePage({ servers }: Campaign, payer: Payer): Promise<string | null> {
  const headers = { 'x-forwarded-for': payer.address }
  for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
    const page = await servers.request(payer.path, { headers })
    const shownCents = /name="shown" value="(\d+)"/.exec(await page.text())?.[1]
    if (shownCents === undefined) return null
    const press = () =>
      servers.request(payer.path, {
        method: 'POST',
        headers: { ...headers, 'content-type': FORM },
        body: `shown=${shownCents}`,
      })
    const responses = await Promise.all(chance(0.1) ? [press(), press()] : [press()])
    const urls = responses.flatMap((response) => response.headers.get('location') ?? [])
    const [url] = urls
    if (url !== undefined) return url
    await sleep(PRESS_AGAIN_MS)
  }
  return null
}

/** From the link to the page after the payment. Some give up, and some close the page of Stripe. */
export async function payByLink(campaign: Campaign, payer: Payer): Promise<void> {
  const { autopay, servers } = campaign
  const url = await openStripePage(campaign, payer)
  if (url === null || chance(0.05)) return
  const sessionId = url.split('/').at(-1) ?? ''
  if (chance(0.1)) payIfOpen(autopay, sessionId, () => 'visa_chargeDeclined')
  payIfOpen(autopay, sessionId, pickMethod)
  if (chance(0.7)) {
    const headers = { 'x-forwarded-for': payer.address }
    await servers.request(autopay.returnPathOf(sessionId), { headers })
  }
}

/** The card may be declined, and the page may have ended. */
function payIfOpen(autopay: Autopay, sessionId: string, pick: typeof pickMethod): void {
  try {
    autopay.stripe.pay(sessionId, pick())
  } catch (failure) {
    if (!(failure instanceof StripeFailure)) throw failure
  }
}

/** A client of a school's instructor, whose repeated requests do nothing twice. */
async function staffClient({ autopay, servers }: Campaign, { id }: { id: string }) {
  const token = await signInAs(autopay.server.db, id)
  return async (method: string, path: string, body?: object): Promise<Response> =>
    servers.request(`/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
}

/** Everybody owes something new. */
export async function chargeAll(campaign: Campaign, school: School): Promise<void> {
  const send = await staffClient(campaign, school)
  const amount = 5 + Math.floor(random() * 40)
  const charge = { student_ids: school.studentIds, kind: 'equipment', amount }
  const { status } = await send('POST', '/charges', charge)
  if (status !== 200) throw new Error(`Charging everybody failed with ${status}`)
}

/** The staff take cash, maybe while the payer is on the page of Stripe. */
export async function payInCash(campaign: Campaign, school: School, payer: Payer): Promise<void> {
  const send = await staffClient(campaign, school)
  const payment = {
    student_id: payer.studentIds[0],
    amount: 10,
    method: 'cash',
    even_if_on_its_way: true,
  }
  await send('POST', '/payments', payment)
}

type ListedPayment = { id: string; state: string; refunded: number }

/** Gives back a part of some payments. */
export async function refundSome(campaign: Campaign, school: School, count: number) {
  const send = await staffClient(campaign, school)
  const payments = (await (await send('GET', '/online-payments')).json()) as ListedPayment[]
  const refundablePayments = payments.filter(
    ({ state, refunded }) => state === 'paid' && refunded === 0,
  )
  for (const { id } of shuffle(refundablePayments).slice(0, count)) {
    const details = await (await send('GET', `/online-payments/${id}`)).json()
    const [part] = details.parts
    if (!part) continue
    const { student_id, charge_id, refundable } = part
    const amount = chance(0.5) ? refundable : Math.max(1, Math.floor(refundable / 2))
    await send('POST', `/online-payments/${id}/refunds`, {
      parts: [{ student_id, charge_id, amount: Math.min(amount, refundable) }],
      outcome: chance(0.5) ? 'owed' : 'written_off',
    })
  }
}

/** Some refunds come back weeks later. */
export function failSomeRefunds({ autopay }: Campaign): void {
  for (const refund of autopay.store().refund.values())
    if (refund.status !== 'failed' && chance(0.05)) failRefund(autopay.store(), refund.id)
}

/** Says that everything was paid, with a signature that is not Stripe's. Returns the statuses. */
export async function forgeWebhooks({ autopay, servers }: Campaign, { dojoId }: School) {
  const sessions = [...autopay.store()['checkout.session'].values()].filter(
    ({ status }) => status === 'open',
  )
  const statuses: number[] = []
  for (const session of sessions.slice(-3)) {
    const event = {
      id: `evt_${randomUUID()}`,
      object: 'event',
      type: 'checkout.session.completed',
      livemode: false,
      data: { object: { ...session, status: 'complete', payment_status: 'paid' } },
    }
    const body = JSON.stringify(event)
    const timestamp = Math.floor(now().getTime() / 1000)
    const response = await servers.request(`/api/stripe/webhooks/${dojoId}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'stripe-signature': signatureHeader(body, 'whsec_forged', timestamp),
      },
      body,
    })
    statuses.push(response.status)
  }
  return statuses
}

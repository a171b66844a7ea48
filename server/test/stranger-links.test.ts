/** Tests people without an account who have a link: to a booked trial, to sign, to pay or to join.
 *  A link opens its own page and nothing else. */
import { endpoints } from '@tatami/contract/api'
import { BOOKING_PATH } from '@tatami/contract/trials/trials'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { createSigningLink } from '../documents/links.ts'
import { insertPayLink } from '../online-payment/pay-links.ts'
import { createBookingLink } from '../trials/booking-links.ts'
import { findCanaryTables, plantCanaries } from './canaries.ts'
import { grantEverything } from './grant-everything.ts'
import { createSampleDojo } from './sample-rows.ts'
import { startTestServer } from './test-server.ts'

const server = await startTestServer()
const ids = await createSampleDojo(server.db)
const otherIds = await createSampleDojo(server.db)
for (const { dojo_id } of [ids, otherIds])
  await server.db.inDojo(dojo_id, (tx) => tx.execute(sql`update public_pages set is_on = true`))
await grantEverything(server)
// A link of one school must reveal nothing about the other school.
await plantCanaries(server.db, otherIds)

const tokenOf = (link: string): string => link.replace(/^.*[#/]/, '')

/** Creates a link of each kind, and returns their secrets. */
const createTokens = ({ dojo_id, booking_id, document_visitor_id, document_id, payer_id }: Ids) =>
  server.db.inDojo(dojo_id, async (tx) => ({
    booking: tokenOf(await createBookingLink(tx, dojo_id, booking_id, '')),
    signing: await createSigningLink(tx, dojo_id, {
      person: { kind: 'visitor', id: document_visitor_id },
      documentIds: [document_id],
      channel: 'mail',
      signer: null,
    }),
    payment: tokenOf(await insertPayLink(tx, dojo_id, payer_id, '')),
  }))
type Ids = typeof ids

const tokens = await createTokens(ids)
const otherTokens = await createTokens(otherIds)
const KINDS = ['booking', 'signing', 'payment'] as const

const openPage = async (url: string) => {
  const { statusCode, payload } = await server.http.inject({ url })
  return { statusCode, payload }
}

describe.each(KINDS)('a link for %s', (kind) => {
  test('has a secret that is not a session', async () => {
    const client = server.clientFor(tokens[kind])
    const privateReads = endpoints.filter(
      ({ access, method, path }) => access !== 'public' && method === 'GET' && !path.includes(':'),
    )
    expect(privateReads.length).toBeGreaterThan(50)
    for (const { path } of privateReads)
      expect([path, (await client.get(path)).status]).toEqual([path, 401])
  })

  test('opens no page of another kind of link', async () => {
    const anonymous = server.clientFor()
    const { status: signingStatus } = await anonymous.post('/signing/open', { token: tokens[kind] })
    const bookingStatus = (await openPage(`${BOOKING_PATH}/${tokens[kind]}`)).statusCode
    expect([bookingStatus, signingStatus]).toEqual([
      kind === 'booking' ? 200 : 404,
      kind === 'signing' ? 200 : 400,
    ])
  })

  test('reveals nothing about another school whose id is put into the secret', async () => {
    const idLength = tokens[kind].length - 43
    const forgedToken = otherTokens[kind].slice(0, idLength) + tokens[kind].slice(idLength)
    const anonymous = server.clientFor()
    const responses = [
      await openPage(`${BOOKING_PATH}/${forgedToken}`),
      await openPage(`${BOOKING_PATH}/${forgedToken}/sign`),
      await openPage(`/pay/${forgedToken}`),
      {
        payload: JSON.stringify(
          (await anonymous.post('/signing/open', { token: forgedToken })).body,
        ),
      },
    ]
    expect(responses.flatMap(({ payload }) => findCanaryTables(payload))).toEqual([])
  })
})

test('the page of a booking names nobody but the visitor', async () => {
  const { statusCode, payload } = await openPage(`${BOOKING_PATH}/${tokens.booking}`)
  expect(statusCode).toBe(200)
  expect(payload).toContain('Leo')
  // It names no contact, student, guardian or staff.
  expect(payload).not.toMatch(/Ana Ruiz|ana@home|512\D{0,2}555|Adams|Tanaka/)
})

test('the invitation to join shows the school and its classes, but no person', async () => {
  // The canaries replace the code of the invitation, too.
  const query = new URLSearchParams({ invite_code: 'zanshin of dojos' })
  const { status, body } = await server.clientFor().get(`/register?${query}`)
  expect(status).toBe(200)
  expect(findCanaryTables(JSON.stringify(body)).toSorted()).toEqual(['classes', 'dojos'])
})

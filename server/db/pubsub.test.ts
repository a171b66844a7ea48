import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'
import { pingOnNewConnection } from './pubsub.ts'

const server = await startTestServer()
let refusalCode = ''
/** Refuses every login with the error `refusalCode`, as PostgreSQL and PgBouncer do. Closes the
 *  connection if there is no code. */
const refusingServer = createServer((client) => {
  client.once('data', () => {
    const fields = Buffer.from(`SFATAL\0C${refusalCode}\0Mno\0\0`)
    const header = Buffer.alloc(5, 'E')
    header.writeInt32BE(fields.length + 4, 1)
    client.end(refusalCode ? Buffer.concat([header, fields]) : Buffer.of())
  })
}).listen(0, '127.0.0.1')
await once(refusingServer, 'listening')
afterAll(() => void refusingServer.close())
const url = `postgresql://x@127.0.0.1:${(refusingServer.address() as AddressInfo).port}/x`

test('a login that the database accepts counts as a reply', async () => {
  expect(await pingOnNewConnection(server.databaseUrl)).toBe(true)
})

test.each([
  ['too many connections', '53300', true],
  ['a wrong password', '28P01', true],
  ['a database that is starting', '57P03', false],
  ['a pooler without a server', '08P01', false],
  ['a closed connection', '', false],
])('a refusal because of %s (%s) counts as a reply: %s', async (_, code, isReply) => {
  refusalCode = code
  expect(await pingOnNewConnection(url)).toBe(isReply)
})

test('a port where nothing listens does not count as a reply', async () => {
  expect(await pingOnNewConnection('postgresql://x@127.0.0.1:9/x')).toBe(false)
})

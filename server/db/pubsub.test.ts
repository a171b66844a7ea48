import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'
import { pingOnNewConnection } from './pubsub.ts'

const server = await startTestServer()
let code = ''
/** Refuses every login with `code`, like PostgreSQL and PgBouncer; without a code it cuts the
 *  connection. */
const refusing = createServer((client) => {
  client.once('data', () => {
    const fields = Buffer.from(`SFATAL\0C${code}\0Mno\0\0`)
    const header = Buffer.alloc(5, 'E')
    header.writeInt32BE(fields.length + 4, 1)
    client.end(code ? Buffer.concat([header, fields]) : Buffer.of())
  })
}).listen(0, '127.0.0.1')
await once(refusing, 'listening')
afterAll(() => void refusing.close())
const url = `postgresql://x@127.0.0.1:${(refusing.address() as AddressInfo).port}/x`

test('a database that takes the login answers', async () => {
  expect(await pingOnNewConnection(server.databaseUrl)).toBe(true)
})

test.each([
  ['too many connections', '53300', true],
  ['a wrong password', '28P01', true],
  ['a start that is not done', '57P03', false],
  ['a pooler without a server', '08P01', false],
  ['no word at all', '', false],
])('a refusal for %s (%s): counts as an answer: %s', async (_, refusal, isAnswer) => {
  code = refusal
  expect(await pingOnNewConnection(url)).toBe(isAnswer)
})

test('a port where nothing listens does not answer', async () => {
  expect(await pingOnNewConnection('postgresql://x@127.0.0.1:9/x')).toBe(false)
})

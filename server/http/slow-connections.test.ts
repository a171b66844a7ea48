import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'

const CONNECTION_COUNT = 500
const HEADERS_TIMEOUT_MS = 2_000
const REQUEST_TIMEOUT_MS = 3_000
const DISCONNECT_DEADLINE_MS = 30_000

const server = await startTestServer()
const { headersTimeout, requestTimeout } = server.http.server
server.http.server.headersTimeout = HEADERS_TIMEOUT_MS
server.http.server.requestTimeout = REQUEST_TIMEOUT_MS
await server.http.listen({ host: '127.0.0.1', port: 0 })
const { port } = server.http.server.address() as AddressInfo
const sockets: Socket[] = []
afterAll(() => {
  for (const socket of sockets) socket.destroy()
})

/** Starts a request and never completes it. Calls `onClosed` when the server disconnects. */
function startUnfinishedRequest(text: string, onClosed: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, () => resolve()))
    sockets.push(socket)
    socket.on('error', reject).on('close', onClosed).resume()
  })
}
const PARTIAL_HEADERS = 'GET / HTTP/1.1\r\nHost: x\r\nX: 1\r\n'
const PARTIAL_BODY =
  'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
  'Content-Length: 99\r\n\r\n{'

test('500 unfinished requests do not delay other requests and are disconnected', async () => {
  const { token } = await server.createSensei()
  let closedCount = 0
  const onClosed = () => void (closedCount += 1)
  await Promise.all(
    Array.from({ length: CONNECTION_COUNT }, (_, index) =>
      startUnfinishedRequest(index % 2 ? PARTIAL_HEADERS : PARTIAL_BODY, onClosed),
    ),
  )
  const response = await fetch(`http://127.0.0.1:${port}/api/classes`, {
    headers: { authorization: `Bearer ${token}`, connection: 'close' },
  })
  expect(response.status).toBe(200)
  expect(closedCount).toBeLessThan(CONNECTION_COUNT)
  await expect.poll(() => closedCount, { timeout: DISCONNECT_DEADLINE_MS }).toBe(CONNECTION_COUNT)
  // The server's limits before this test lowered them.
  expect([headersTimeout, requestTimeout]).toEqual([15_000, 30_000])
})

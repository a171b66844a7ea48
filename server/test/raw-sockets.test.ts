import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { STATUS_PATH } from '../texting/callback-urls.ts'
import { TEST_SETTINGS, startTestServer } from './test-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'tatami-raw-'))
const webRoot = join(folder, 'dist')
mkdirSync(join(webRoot, 'assets'), { recursive: true })
mkdirSync(join(webRoot, '.vite'))
writeFileSync(join(webRoot, 'index.html'), '<title>landing</title>')
writeFileSync(join(webRoot, 'login.html'), '<title>login</title>')
writeFileSync(join(webRoot, 'sign.html'), '<title>sign</title>')
writeFileSync(join(webRoot, 'app.html'), '<title>app</title>')
writeFileSync(join(webRoot, 'assets/main-x.js'), 'go()')
for (const secret of [
  join(folder, 'secret.txt'),
  join(folder, '.env'),
  join(webRoot, '.vite/manifest.json'),
])
  writeFileSync(secret, 'a secret')

const server = await startTestServer()
const { token } = await server.createSensei()
const http = await buildApp({
  db: server.db,
  pubsub: server.pubsub,
  env: { ...TEST_SETTINGS, twilioAuthToken: 'x'.repeat(32) },
  webRoot,
})
http.server.headersTimeout = 1000
http.server.requestTimeout = 2000
await http.listen({ host: '127.0.0.1', port: 0 })
const { port } = http.server.address() as AddressInfo
afterAll(async () => {
  await http.close()
  rmSync(folder, { recursive: true })
})
afterEach(async () => {
  const { statusCode } = await http.inject('/api/health/ready')
  if (statusCode !== 200) throw new Error('The server is no longer ready')
})

const READ_TIMEOUT_MS = 500
/** Returns everything that arrives until the server closes the connection or stops sending. */
async function sendRaw(parts: (string | Buffer)[], timeoutMs = READ_TIMEOUT_MS): Promise<string> {
  const socket = createConnection(port, '127.0.0.1').setEncoding('latin1')
  let output = ''
  const ending = new Promise<void>((resolve) => {
    socket
      .setTimeout(timeoutMs, resolve)
      .on('data', (part) => {
        output += part
      })
      .on('close', () => resolve())
      .on('error', () => resolve())
  })
  for (const [index, part] of parts.entries()) {
    if (index > 0) await sleep(50)
    socket.write(part)
  }
  await ending
  socket.destroy()
  return output
}
const readStatuses = (output: string) =>
  [...output.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
const HOST = 'Host: x\r\n'
const AUTHORIZATION = `Authorization: Bearer ${token}\r\n`
const post = (headers: string, body: string) =>
  `POST /api/login HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n${headers}\r\n${body}`

describe('the server responds with the usual error to', () => {
  test.each([
    ['not HTTP', 'hello\r\n\r\n', 400],
    ['a TLS handshake', Buffer.from('16030100c8010000c40303', 'hex'), 400],
    ['another protocol', 'SSH-2.0-OpenSSH_9.0\r\n', 400],
    ['a future version of HTTP', `GET / HTTP/9.9\r\n${HOST}\r\n`, 400],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['an unknown method', `BREW /api/classes HTTP/1.1\r\n${HOST}\r\n`, 400],
    ['a header without a name', `GET /api/classes HTTP/1.1\r\n${HOST}: y\r\n\r\n`, 400],
    ['a header with a NUL', `GET /api/classes HTTP/1.1\r\n${HOST}X: a\0b\r\n\r\n`, 400],
    ['a folded header', `GET /api/classes HTTP/1.1\r\n${HOST}X: a\r\n b\r\n\r\n`, 400],
    [
      'a space between a header name and its colon',
      `GET /api/classes HTTP/1.1\r\n${HOST}Transfer-Encoding : chunked\r\n\r\n`,
      400,
    ],
    ['lines that end without a carriage return', 'GET /api/classes HTTP/1.1\nHost: x\n\n', 400],
    ['a space in the path', `GET /api/cla sses HTTP/1.1\r\n${HOST}\r\n`, 400],
    ['a NUL in the path', `GET /api/\0 HTTP/1.1\r\n${HOST}\r\n`, 400],
    ['two lengths', post('Content-Length: 1\r\nContent-Length: 2\r\n', 'ab'), 400],
    [
      'a length and chunks',
      post('Content-Length: 1\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
      400,
    ],
    [
      'chunks and a length',
      post('Transfer-Encoding: chunked\r\nContent-Length: 6\r\n', '0\r\n\r\nX'),
      400,
    ],
    [
      'chunks that are not the last coding',
      post('Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n'),
      400,
    ],
    ['an unknown coding', post('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'), 400],
    ['a negative length', post('Content-Length: -5\r\n', '{}'), 400],
    ['a length with a plus', post('Content-Length: +2\r\n', '{}'), 400],
    ['a length that is not a number', post('Content-Length: two\r\n', '{}'), 400],
    [
      'a chunk length that is too large for a number',
      post('Transfer-Encoding: chunked\r\n', 'FFFFFFFFFFFFFFFFFF\r\nx'),
      400,
    ],
    [
      'a chunk length that is not a number',
      post('Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n'),
      400,
    ],
    ['very long headers', `GET / HTTP/1.1\r\n${HOST}X: ${'a'.repeat(40_000)}\r\n\r\n`, 431],
    ['a very long path', `GET /${'a'.repeat(40_000)} HTTP/1.1\r\n${HOST}\r\n`, 431],
    ['too many headers', `GET / HTTP/1.1\r\n${HOST}${'a: b\r\n'.repeat(5000)}\r\n`, 431],
  ])('%s', async (_, text, status) => {
    const output = await sendRaw([text])
    expect(readStatuses(output)).toEqual([status])
    expect(JSON.parse(output.split('\r\n\r\n')[1]!)).toEqual({ detail: expect.any(String) })
  })
})

describe('slow requests', () => {
  test.concurrent.each([
    ['headers that never end', ['GET / HTTP/1.1\r\n', HOST, 'X: 1\r\n', 'X: 2\r\n']],
    ['a body that never comes', [post('Content-Length: 100\r\n', '{')]],
    ['chunks that never end', [post('Transfer-Encoding: chunked\r\n', '1\r\n{\r\n')]],
  ])('responds with 408 to %s', async (_, parts) => {
    expect(readStatuses(await sendRaw(parts, 12_000))).toEqual([408])
  })

  test('time out after the usual limits', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout } = server.http.server
    expect([headersTimeout, requestTimeout, keepAliveTimeout]).toEqual([15_000, 30_000, 72_000])
  })
})

describe('unusual requests', () => {
  const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\n${HOST}${headers}\r\n`

  test('responds to pipelined requests in order, each with its own session', async () => {
    const output = await sendRaw([
      get('/api/profile', AUTHORIZATION) +
        get('/api/profile') +
        get('/api/profile', AUTHORIZATION) +
        get('/api/classes', `${AUTHORIZATION}Connection: close\r\n`),
    ])
    expect(readStatuses(output)).toEqual([200, 401, 200, 200])
  })

  test('responds to a request that arrives in small pieces', async () => {
    const pieces = get('/api/health/live', 'Connection: close\r\n').match(/[^]{1,10}/g)!
    expect(readStatuses(await sendRaw(pieces))).toEqual([200])
  })

  test('asks for the body of a request with Expect: 100-continue, and reads it', async () => {
    const body = JSON.stringify({ email: 'nobody@dojo.com', password: 'x' })
    const expectRequest = post(
      `Expect: 100-continue\r\nConnection: close\r\nContent-Length: ${body.length}\r\n`,
      '',
    )
    // Checking a password is slow, so this response takes the longest.
    expect(readStatuses(await sendRaw([expectRequest, body], 12_000))).toEqual([100, 401])
    expect(
      readStatuses(await sendRaw([post('Expect: miracles\r\nContent-Length: 0\r\n', '')])),
    ).toEqual([417])
  })

  test('refuses a body that is too large, and does not treat it as a second request', async () => {
    const innerRequest = get('/api/profile', AUTHORIZATION)
    const body = innerRequest + 'x'.repeat(300 * 1024)
    expect(readStatuses(await sendRaw([post(`Content-Length: ${body.length}\r\n`, body)]))).toEqual(
      [413],
    )
    expect(
      readStatuses(
        await sendRaw([
          post(
            'Transfer-Encoding: chunked\r\n',
            `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
          ),
        ]),
      ),
    ).toEqual([413])
  })

  const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n'
  const SIGNATURE_HEADER = 'X-Twilio-Signature: x\r\n'
  test.each([
    [
      'to an unknown path',
      'POST /api/nowhere',
      'Content-Type: application/json\r\nContent-Length: 100\r\n',
      404,
    ],
    [
      'with a method that the path does not have',
      'PATCH /api/classes',
      `${AUTHORIZATION}Content-Length: 100\r\n`,
      404,
    ],
    [
      'without a token',
      'POST /api/classes',
      'Content-Type: application/json\r\nContent-Length: 100\r\n',
      401,
    ],
    [
      'that the caller may not make',
      'PUT /api/super-admin/sensei/x/reset-password',
      `${AUTHORIZATION}Content-Type: application/json\r\nContent-Length: 100\r\n`,
      403,
    ],
    [
      'with a body that is too large',
      'POST /api/login',
      'Content-Type: application/json\r\nContent-Length: 16385\r\n',
      413,
    ],
    [
      'of the wrong type',
      'POST /api/login',
      'Content-Type: text/plain\r\nContent-Length: 100\r\n',
      400,
    ],
    [
      'to a webhook, as JSON',
      `POST ${STATUS_PATH}`,
      `${SIGNATURE_HEADER}Content-Type: application/json\r\nContent-Length: 100\r\n`,
      415,
    ],
    [
      'to a webhook, without a signature',
      `POST ${STATUS_PATH}`,
      `${FORM}Content-Length: 100\r\n`,
      403,
    ],
    [
      'to a webhook, over 16 kB',
      `POST ${STATUS_PATH}`,
      `${FORM}${SIGNATURE_HEADER}Content-Length: 16385\r\n`,
      413,
    ],
    [
      'to an unknown path, in chunks',
      'POST /api/nowhere',
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n',
      404,
    ],
  ])('refuses a request %s without waiting for its body', async (_, call, headers, status) => {
    expect(readStatuses(await sendRaw([`${call} HTTP/1.1\r\n${HOST}${headers}\r\n`]))).toEqual([
      status,
    ])
  })

  test('does not treat the body of a GET request as a second request', async () => {
    const hiddenRequest = get('/api/profile', AUTHORIZATION)
    const output = await sendRaw([
      get('/api/health/live', `Content-Length: ${hiddenRequest.length}\r\n`) + hiddenRequest,
    ])
    expect(readStatuses(output)).toEqual([200])
  })

  test.each([
    ['no host', 'GET /api/health/live HTTP/1.1\r\n\r\n', 400],
    ['two hosts', `GET /api/health/live HTTP/1.1\r\n${HOST}Host: y\r\n\r\n`, 200],
    ['HTTP/0.9', 'GET /api/health/live\r\n\r\n', 200],
    ['HTTP/1.0', 'GET /api/health/live HTTP/1.0\r\n\r\n', 200],
    ['a full URL of another host', get('http://evil.test/api/profile', AUTHORIZATION), 200],
    ['a full URL without a token', get('http://evil.test/api/profile'), 401],
    ['a full URL of a file', get('http://evil.test/assets/main-y.js'), 404],
    [
      'an invalid full URL',
      `POST http://x:99999${STATUS_PATH} HTTP/1.1\r\n${HOST}Content-Length: 0\r\n\r\n`,
      404,
    ],
    [
      'a full URL without a host',
      `POST http://${STATUS_PATH} HTTP/1.1\r\n${HOST}Content-Length: 0\r\n\r\n`,
      404,
    ],
    ['two slashes', `POST /${STATUS_PATH} HTTP/1.1\r\n${HOST}Content-Length: 0\r\n\r\n`, 404],
    ['a star', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, 404],
    ['a trace', `TRACE /api/profile HTTP/1.1\r\n${HOST}${AUTHORIZATION}\r\n`, 404],
    [
      'an upgrade to WebSocket',
      get('/api/health/live', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'),
      200,
    ],
    [
      'an upgrade to HTTP/2',
      get(
        '/api/health/live',
        'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n',
      ),
      200,
    ],
    [
      'bytes that are not text',
      Buffer.from('474554202fff20485454502f312e310d0a486f73743a20780d0a0d0a', 'hex'),
      400,
    ],
  ])('responds to %s with the expected status, and reveals nothing', async (_, text, status) => {
    const output = await sendRaw([text])
    expect(readStatuses(output)[0]).toBe(status)
    expect(output).not.toMatch(/a secret|evil|node_modules/)
  })

  test('refuses CONNECT', async () => {
    expect(await sendRaw([`CONNECT evil.test:443 HTTP/1.1\r\n${HOST}\r\n`])).toBe('')
  })

  test.each([
    '/../secret.txt',
    '/../../../../../../etc/passwd',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/..%5csecret.txt',
    '/..\\secret.txt',
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
    '/assets/..%252f..%252fsecret.txt',
    '/assets/....//....//secret.txt',
    '/assets/%00',
    '/assets/main-x.js%00.txt',
    '/assets/%c0%ae%c0%ae/secret.txt',
    '//secret.txt',
    '/.env',
    '/../.env',
    '/.vite/manifest.json',
    '/assets/../.vite/manifest.json',
    '/assets/..%2f.vite%2fmanifest.json',
    'file:///etc/passwd',
    '/assets/',
    '/index.html',
    '/app.html',
    '/assets/..%2f..%2f.env',
    `/assets/${'../'.repeat(200)}etc/passwd`,
  ])('refuses path traversal by %s', async (path) => {
    const output = await sendRaw([get(path, 'Connection: close\r\n')])
    expect(output).not.toMatch(/a secret|root:|go\(\)/)
    const [status] = readStatuses(output)
    expect(status).toBeLessThan(500)
    // A path without a file gets the app's page, which shows that nothing was found.
    if (status === 200) expect(output).toContain('<title>app</title>')
  })
})

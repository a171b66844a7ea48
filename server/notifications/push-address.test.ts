import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type AddressInfo, type LookupFunction } from 'node:net'
import { expect, test } from 'vitest'
import { createBrowser } from '../test/fake-push.ts'
import { startTestServer } from '../test/test-server.ts'
import { isPublic, PrivateAddressError, publicLookup } from '../lib/public-address.ts'
import { postOverHttps } from './push-request.ts'

/** A self-signed certificate for push.example.com, used only in this test. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgq0W78skKis+yLlLe
wsXMc1jkMrCFMPl/doGMqcyT3b2hRANCAAS1JlWY/Gj9jZfJ0kJjgJuF1LoP2KkK
E/V5VVgmtagoA0f0WuW4HvcHv2DORxpcGFBt3xNE31I21FCshJ+AdicP
-----END PRIVATE KEY-----`
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBqTCCAVCgAwIBAgIUROKYdsIl1nTLliJvurwFNHmrvGowCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQcHVzaC5leGFtcGxlLmNvbTAgFw0yNjExMjIwMzE5MjFaGA8y
MTI2MTAyOTAzMTkyMVowGzEZMBcGA1UEAwwQcHVzaC5leGFtcGxlLmNvbTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABLUmVZj8aP2Nl8nSQmOAm4XUug/YqQoT9XlV
WCa1qCgDR/Ra5bge9we/YM5HGlwYUG3fE0TfUjbUUKyEn4B2Jw+jcDBuMB0GA1Ud
DgQWBBTZM0ncQbRHCkC64xqPI1AmprhLYTAfBgNVHSMEGDAWgBTZM0ncQbRHCkC6
4xqPI1AmprhLYTAPBgNVHRMBAf8EBTADAQH/MBsGA1UdEQQUMBKCEHB1c2guZXhh
bXBsZS5jb20wCgYIKoZIzj0EAwIDRwAwRAIgAXi4qA/mNrWXWgl02+A7z9+L2bTZ
S8PnEGhDxWof4uACIDdyJzBpTkDKriUoqaUEq2IeNOfk9RuSDwDdHG4q7UyT
-----END CERTIFICATE-----`

const server = await startTestServer()
const sensei = await server.createSensei()
const { keys } = createBrowser().subscription

test.each<[string, string]>([
  ['http://push.example.com/x', 'The push address must begin with https'],
  ['ftp://push.example.com/x', 'The push address must begin with https'],
  ['push.example.com', 'The push address must begin with https'],
  // Private names, and addresses in decimal, octal, hexadecimal, short and IPv6 form
  ...[
    'https://localhost/x',
    'https://127.0.0.1/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://[::1]/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://10.0.0.1/x',
    'https://router/x',
    'https://postgres.internal/x',
    'https://printer.local/x',
    'https://nas.lan/x',
    'https://a.localhost/x',
    'https://push.example.com:5432/x',
    'https://push.example.com:22/x',
    'https://user:pass@push.example.com/x',
    'https://1.2.3.4/x',
    'https://1.2.3.4./x',
    'https://8.8.8.8/x',
    'https://0177.0.0.1/x',
    'https://127.1/x',
    'https://0x7f000001/x',
    'https://%31%32%37.0.0.1/x',
    'https://[::ffff:127.0.0.1]/x',
    'https://[::ffff:7f00:1]/x',
    'https://[0:0:0:0:0:0:0:1]/x',
    'https://[2607:f8b0:4004:c07::bc]/x',
  ].map((endpoint): [string, string] => [endpoint, 'The push address is not public']),
  ['https://１２７.0.0.1/x', 'The push address is not valid'],
  [`https://push.example.com/${'x'.repeat(1000)}`, 'The push address is too long'],
])('refuses %s', async (endpoint, message) => {
  const { status, body } = await sensei.put('/push-subscription', { endpoint, keys })
  expect([status, body.detail]).toEqual([422, message])
})

test('rejects missing and malformed keys', async () => {
  const { subscription } = createBrowser()
  for (const invalidKeys of [
    undefined,
    {},
    { ...keys, auth: 'short' },
    { ...keys, p256dh: 'short' },
    { ...keys, auth: 7 },
  ]) {
    expect(
      (await sensei.put('/push-subscription', { ...subscription, keys: invalidKeys })).status,
    ).toBe(422)
  }
})

test('rejects loopback and private network addresses', () => {
  const privateIpv4Addresses = [
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
  ]
  const privateIpv6Addresses = [
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    'fd00::1',
    'fe80::1',
    'ff02::1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
  ]
  for (const address of privateIpv4Addresses)
    expect([address, isPublic({ address, family: 4 })]).toEqual([address, false])
  for (const address of privateIpv6Addresses)
    expect([address, isPublic({ address, family: 6 })]).toEqual([address, false])
  for (const address of ['8.8.8.8', '172.15.0.1', '172.32.0.1', '192.169.0.1'])
    expect(isPublic({ address, family: 4 })).toBe(true)
  expect(isPublic({ address: '2607:f8b0:4004:c07::bc', family: 6 })).toBe(true)
})

test('refuses to connect when a public name resolves to a private address', async () => {
  const connections: unknown[] = []
  const listener = createServer((socket) => void connections.push(socket.destroy())).listen(
    0,
    '127.0.0.1',
  )
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  for (const addresses of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1']]) {
    const post = postOverHttps(
      publicLookup((_, callback) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        ),
      ),
    )
    await expect(
      post({ endpoint: `https://push.example.com:${port}/x`, headers: {}, body: Buffer.from('') }),
    ).rejects.toThrow(PrivateAddressError)
  }
  listener.close()
  expect(connections).toEqual([])
})

test.each([
  'https://127.0.0.1/x',
  'https://2130706433/x',
  'https://0x7f.1/x',
  'https://0177.0.0.1/x',
  'https://127.1/x',
  'https://169.254.169.254/x',
  'https://10.0.0.1./x',
  'https://[::1]/x',
  'https://[::]/x',
  'https://[::ffff:10.0.0.1]/x',
  'https://[::ffff:7f00:1]/x',
  'https://[fd00::1]/x',
  'https://[64:ff9b::7f00:1]/x',
])('does not connect to %s, which needs no DNS lookup', async (endpoint) => {
  await expect(postOverHttps()({ endpoint, headers: {}, body: Buffer.from('') })).rejects.toThrow(
    PrivateAddressError,
  )
})

test('does not follow redirects', async () => {
  const requestedPaths: (string | undefined)[] = []
  const options = { key: KEY, cert: CERTIFICATE }
  const listener = createHttpsServer(options, (request, response) => {
    requestedPaths.push(request.url)
    response.writeHead(307, { location: '/secret' }).end()
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const localLookup: LookupFunction = (_, { all }, callback) =>
    all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4)
  const post = postOverHttps(localLookup, { ca: CERTIFICATE })
  const { port } = listener.address() as AddressInfo
  expect(
    await post({
      endpoint: `https://push.example.com:${port}/x`,
      headers: {},
      body: Buffer.from(''),
    }),
  ).toBe(307)
  listener.closeAllConnections()
  listener.close()
  expect(requestedPaths).toEqual(['/x'])
})

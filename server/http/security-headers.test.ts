import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import helmet from 'helmet'
import { afterAll, expect, test } from 'vitest'
import { selectApiHeaders, createHelmetOptions, createSecurityHeaders } from './security-headers.ts'

const HASHES = ["'sha256-aaa='", "'sha256-bbb='", "'sha256-aaa='"]
const setHeaders = helmet(createHelmetOptions(HASHES))
const server = createServer((request, response) =>
  setHeaders(request, response, () => response.end()),
)
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve)
})
afterAll(() => server.close())

test('returns exactly the headers that helmet sets on a response', async () => {
  const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const nodeHeaders = new Set([
    'date',
    'connection',
    'keep-alive',
    'content-length',
    'transfer-encoding',
  ])
  expect(createSecurityHeaders(HASHES)).toEqual(
    Object.fromEntries([...headers].filter(([name]) => !nodeHeaders.has(name))),
  )
})

test('allows only scripts with the given hashes, and no framing', () => {
  expect(createSecurityHeaders(HASHES)).toMatchObject({
    'content-security-policy': expect.stringContaining(
      "script-src 'self' 'sha256-aaa=' 'sha256-bbb=';script-src-attr 'none'",
    ),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
  })
})

test('a JSON reply may not load anything or be framed', () => {
  expect(selectApiHeaders(createSecurityHeaders(HASHES))).toEqual({
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  })
})

import { gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { compressForClient } from './compression.ts'
import { SerializedReply } from './serialized-reply.ts'

const LONG_TEXT = 'osu '.repeat(1000)
const endpoint = {
  method: 'GET',
  path: '/',
  access: 'public',
  summary: '',
  reply: z.string(),
} as const
const longReply = new SerializedReply(endpoint, LONG_TEXT)
const shortReply = new SerializedReply(endpoint, 'osu')
const http = Fastify()
http.get('/long', async (request, reply) =>
  reply.type('text/plain').send(await compressForClient(longReply, request, reply)),
)
http.get('/short', async (request, reply) =>
  reply.type('text/plain').send(await compressForClient(shortReply, request, reply)),
)
const get = (url: string, encodings?: string) =>
  http.inject({ url, headers: encodings ? { 'accept-encoding': encodings } : {} })

test.each(['gzip, deflate, br', 'br;q=1, gzip;q=0.5'])(
  'compresses a long reply for a client that accepts %s',
  async (encodings) => {
    for (const { headers, rawPayload } of [
      await get('/long', encodings),
      await get('/long', encodings),
    ]) {
      expect(headers).toMatchObject({
        'content-encoding': 'gzip',
        vary: 'accept-encoding',
        'content-length': String(rawPayload.length),
      })
      expect(rawPayload.length).toBeLessThan(LONG_TEXT.length / 10)
      expect(gunzipSync(rawPayload).toString()).toBe(LONG_TEXT)
    }
  },
)

test.each([undefined, 'identity', 'br', 'gzip;q=0', 'gzip; q=0.0, br'])(
  'does not compress for a client that accepts %s',
  async (encodings) => {
    const { headers, body } = await get('/long', encodings)
    expect([headers['content-encoding'], headers.vary, body]).toEqual([
      undefined,
      'accept-encoding',
      LONG_TEXT,
    ])
  },
)

test.each([{ method: 'POST' }, { polled: true }] as const)(
  'does not compress the replies of endpoints with %j',
  (endpointFields) => {
    expect(new SerializedReply({ ...endpoint, ...endpointFields }, LONG_TEXT).isCompressible).toBe(
      false,
    )
  },
)

test('does not compress a short reply', async () => {
  const { headers, body } = await get('/short', 'gzip')
  expect([headers['content-encoding'], headers['content-length'], body]).toEqual([
    undefined,
    '3',
    'osu',
  ])
})

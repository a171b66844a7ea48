import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { MONDAY_MORNING, startServerWithTrials } from '../test/trial-dojo.ts'
import { VISITOR_RATE_LIMIT } from './public-page.ts'

const { server, createDojo } = await startServerWithTrials()

/** A link that nobody has sent is refused without asking the database. */
const PATH = '/b/unknown'

test('whoever sends too many requests reads in their language what to do', async () => {
  const answers = await Promise.all(
    Array.from({ length: VISITOR_RATE_LIMIT.max + 1 }, () =>
      server.http.inject({ url: PATH, headers: { 'accept-language': 'es' } }),
    ),
  )
  const refusal = answers.find(({ statusCode }) => statusCode === 429)
  expect(refusal?.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(refusal?.payload).toContain('Espere un momento e inténtelo otra vez.')
  expect(refusal?.payload).toContain(`href="${PATH}"`)
})

test('a form that cannot be read gets a page in words, too', async () => {
  setClock(MONDAY_MORNING)
  const { slug } = await createDojo()
  const { statusCode, headers, payload } = await server.http.inject({
    method: 'POST',
    url: `/d/${slug}/trial`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `name=${'a'.repeat(9000)}`,
  })
  expect(statusCode).toBe(413)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(payload).toContain('Please try again in a moment, or call the school.')
})

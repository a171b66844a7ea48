import { endpoints } from '@tatami/contract/api'
import { expect, test } from 'vitest'
import { createExampleBody } from './example-body.ts'

const callsWithBody = endpoints.filter(({ body }) => body !== undefined)

test.each(callsWithBody)('$method $path accepts its example', (endpoint) => {
  const result = endpoint.body?.safeParse(createExampleBody(endpoint))
  expect(result?.error?.issues).toBeUndefined()
})

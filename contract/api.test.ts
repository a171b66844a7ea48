import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from './api.ts'

const shape = (path: string) => path.replaceAll(/:\w+/g, ':')

test('no two calls share a method and a path', () => {
  const calls = endpoints.map(({ method, path }) => `${method} ${shape(path)}`)
  expect(calls.toSorted()).toEqual([...new Set(calls)].toSorted())
})

describe.each(
  endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
)('%s', (_, endpoint) => {
  test('declares what its path names', () => {
    const parameterNames = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    expect(
      endpoint.params instanceof z.ZodObject ? Object.keys(endpoint.params.shape) : [],
    ).toEqual(parameterNames)
  })

  test('takes a body only where a body goes', () => {
    expect(endpoint.body === undefined || ['POST', 'PUT'].includes(endpoint.method)).toBe(true)
  })

  test('survives any body and any query, and complains in words of our own', () => {
    const anyObject = fc.dictionary(fc.string(), fc.jsonValue())
    for (const schema of [endpoint.body, endpoint.query]) {
      if (!schema) continue
      const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
      const filledFields = fc.record(
        Object.fromEntries(fields.map((field) => [field, fc.jsonValue()])),
        {
          requiredKeys: [],
        },
      )
      fc.assert(
        fc.property(fc.oneof(anyObject, filledFields), (value) => {
          for (const { message } of schema.safeParse(value).error?.issues ?? [])
            expect(message).not.toMatch(/^(Invalid|Too|Unrecognized|Expected)\b/)
        }),
      )
    }
  })
})

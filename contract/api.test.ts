import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from './api.ts'

const withoutParameterNames = (path: string) => path.replaceAll(/:\w+/g, ':')

test('every endpoint has its own method and path', () => {
  const calls = endpoints.map(({ method, path }) => `${method} ${withoutParameterNames(path)}`)
  const uniqueCalls = [...new Set(calls)]
  expect(calls.toSorted()).toEqual(uniqueCalls.toSorted())
})

describe.each(
  endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
)('%s', (_, endpoint) => {
  test('declares the parameters in its path', () => {
    const parameterNames = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    const { params } = endpoint
    const declaredNames = params instanceof z.ZodObject ? Object.keys(params.shape) : []
    expect(declaredNames).toEqual(parameterNames)
  })

  test('has a body only if the method is POST or PUT', () => {
    expect(endpoint.body === undefined || ['POST', 'PUT'].includes(endpoint.method)).toBe(true)
  })

  test('refuses an invalid body or query with our own message, not Zod’s', () => {
    const anyObject = fc.dictionary(fc.string(), fc.jsonValue())
    for (const schema of [endpoint.body, endpoint.query]) {
      if (!schema) continue
      const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
      const anyValues = Object.fromEntries(fields.map((field) => [field, fc.jsonValue()]))
      const objectWithKnownFields = fc.record(anyValues, { requiredKeys: [] })
      fc.assert(
        fc.property(fc.oneof(anyObject, objectWithKnownFields), (value) => {
          const issues = schema.safeParse(value).error?.issues ?? []
          for (const { message } of issues)
            expect(message).not.toMatch(/^(Invalid|Too|Unrecognized|Expected)\b/)
        }),
      )
    }
  })
})

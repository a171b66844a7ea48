import { describe, expect, test } from 'vitest'
import { accountCalls } from './accounts.ts'
import { dojoCalls } from './dojo.ts'
import type { Caller, CallOptions } from './people.ts'
import { readSpecifiedCalls } from './specified.ts'
import { textCalls } from './texts.ts'

const CASES = { ...accountCalls, ...textCalls, ...dojoCalls }
const calls = readSpecifiedCalls()

test('there is a case for each call in the specification, and for no other', () => {
  expect(Object.keys(CASES).toSorted()).toEqual(calls.map(({ call }) => call).toSorted())
})

describe.each(calls)('$call', ({ call, method, path, fieldNames }) => {
  test('uses all specified fields, and explains a refusal in `detail`', async () => {
    const bodies: unknown[] = []
    let refusalCount = 0
    const send = (caller: Caller, { params = {}, query, body }: CallOptions = {}) => {
      const filledPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
      const url = query ? `${filledPath}?${query}` : filledPath
      return caller[method.toLowerCase() as keyof Caller](url, body)
    }
    await CASES[call]?.({
      expectOk: async (caller, options) => {
        const response = await send(caller, options)
        expect(response).toMatchObject({ status: 200 })
        bodies.push(options?.body, response.body)
        return response.body
      },
      expectRefusal: async (caller, status, detail, options) => {
        const response = await send(caller, options)
        expect([response.status, response.body.detail]).toEqual([status, detail])
        refusalCount += 1
      },
    })
    const exchangedText = JSON.stringify(bodies)
    expect(
      fieldNames.filter((name) => !exchangedText.includes(`"${name}"`)),
      'specified fields that no request or response contained',
    ).toEqual([])
    expect(refusalCount).toBeGreaterThan(0)
  })
})

import { describe, expect, test } from 'vitest'
import { accountCalls } from './accounts.ts'
import { dojoCalls } from './dojo.ts'
import type { Caller, CallOptions } from './people.ts'
import { specifiedCalls } from './specified.ts'
import { textCalls } from './texts.ts'

const CASES = { ...accountCalls, ...textCalls, ...dojoCalls }
const calls = specifiedCalls()

test('every call in the specification’s table has a case here, and no other call', () => {
  expect(Object.keys(CASES).toSorted()).toEqual(calls.map(({ call }) => call).toSorted())
})

describe.each(calls)('$call', ({ call, method, path, fieldNames: names }) => {
  test('answers 200 with the specified fields, and explains a refusal in `detail`', async () => {
    const answerBodies: unknown[] = []
    const details: unknown[] = []
    const ask = (caller: Caller, { at = {}, query, body }: CallOptions = {}) => {
      const url = `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => at[name] ?? '')}${query ? `?${query}` : ''}`
      return caller[method.toLowerCase() as keyof Caller](url, body)
    }
    await CASES[call]?.({
      ok: async (caller, sending) => {
        const answer = await ask(caller, sending)
        expect(answer).toMatchObject({ status: 200 })
        answerBodies.push(sending?.body, answer.body)
        return answer.body
      },
      refused: async (caller, status, detail, sending) => {
        const answer = await ask(caller, sending)
        expect([answer.status, answer.body.detail]).toEqual([status, detail])
        details.push(answer.body.detail)
      },
    })
    const answerText = JSON.stringify(answerBodies)
    expect(
      names.filter((name) => !answerText.includes(`"${name}"`)),
      'fields named and not met',
    ).toEqual([])
    expect(details.length).toBeGreaterThan(0)
  })
})

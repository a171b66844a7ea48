import { expect, test } from 'vitest'
import { listJson } from './serialized-reply.ts'

const listOf = (length: number) =>
  Array.from({ length }, (_, place) => ({ place, name: `Zoë "${place}" 🥋, [a]`, classes: [], rank: null }))

test.each([0, 1, 100, 101, 200, 250])('the JSON of a list of %i is the same in parts', (length) => {
  const list = listOf(length)
  expect(listJson(list).toString()).toBe(JSON.stringify(list))
})

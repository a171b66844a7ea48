import { studentsApi } from '@tatami/contract/students'
import { expect, test } from 'vitest'
import { listJson, SerializedReply } from './serialized-reply.ts'

const listOf = (length: number) =>
  Array.from({ length }, (_, place) => ({
    place,
    name: `Zoë "${place}" 🥋, [a]`,
    classes: [],
    rank: null,
  }))

test.each([0, 1, 100, 101, 200, 250])('the JSON of a list of %i is the same in parts', (length) => {
  const list = listOf(length)
  expect(listJson(list).toString()).toBe(JSON.stringify(list))
})

test('a compressed copy takes no more memory than it is long', async () => {
  const copy = await new SerializedReply(studentsApi.list, JSON.stringify(listOf(250))).compressed()
  expect(copy.buffer.byteLength).toBe(copy.length)
})

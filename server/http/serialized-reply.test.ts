import { studentsApi } from '@tatami/contract/students/students'
import { expect, test } from 'vitest'
import { SerializedReply } from './serialized-reply.ts'

test('a compressed reply takes no more memory than its length', async () => {
  const json = JSON.stringify(
    Array.from({ length: 250 }, (_, index) => ({ index, name: 'Zoë 🥋' })),
  )
  const copy = await new SerializedReply(studentsApi.list, json).compressed()
  expect(copy.buffer.byteLength).toBe(copy.length)
})

import { expect, test } from 'vitest'
import { serializers } from './log.ts'

test('the address of a letter that was refused stays out of the log, and why it was refused does not', () => {
  const refused = new Error(
    "Can't send mail - all recipients were rejected: 550 5.1.1 <ken.adams+judo@home.org>: no such user",
  )
  const { message, code } = serializers.err(Object.assign(refused, { code: 'EENVELOPE' }))
  expect([message, code]).toEqual([
    "Can't send mail - all recipients were rejected: 550 5.1.1 <…>: no such user",
    'EENVELOPE',
  ])
})

import { expect, test } from 'vitest'
import { serializers } from './log.ts'

test('logs why a mail server refused an email, without the address', () => {
  const mailError = new Error(
    "Can't send mail - all recipients were rejected: 550 5.1.1 " +
      '<ken.adams+judo@home.org>: no such user',
  )
  const { message, code } = serializers.err(Object.assign(mailError, { code: 'EENVELOPE' }))
  expect([message, code]).toEqual([
    "Can't send mail - all recipients were rejected: 550 5.1.1 <…>: no such user",
    'EENVELOPE',
  ])
})

test.each([
  [
    "The 'To' number +15125550142 is not a valid phone number",
    "The 'To' number … is not a valid phone number",
  ],
  ['no route to (512) 555-0142', 'no route to …'],
  ['GET /api/sms/phones/%2B15125550142 failed', 'GET /api/sms/phones/… failed'],
  ['connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED 127.0.0.1:5432'],
])('logs no phone number: %s', (text, loggedText) => {
  expect(serializers.err(new Error(text)).message).toBe(loggedText)
})

test('logs no value that the database could not parse', () => {
  const parseError = Object.assign(new Error('invalid input syntax for type date: "Ken Adams"'), {
    code: '22007',
  })
  expect(serializers.err(parseError).message).toBe('invalid input syntax for type date: …')
})

import { expect, test } from 'vitest'
import { decisiveConsent, type TextConsent } from './phones.ts'

const decisiveEvent = (...newestFirst: [TextConsent['event'], TextConsent['source']][]) =>
  decisiveConsent(newestFirst.map(([event, source]) => ({ event, source })))?.event

test('applies the newest consent, except that a form does not undo a withdrawal', () => {
  expect(decisiveEvent(['given', 'form'], ['revoked', 'instructor'])).toBe('revoked')
  expect(decisiveEvent(['given', 'paper'], ['revoked', 'instructor'], ['given', 'form'])).toBe(
    'given',
  )
  expect(decisiveEvent(['given', 'START'], ['revoked', 'STOP'], ['revoked', 'instructor'])).toBe(
    'given',
  )
})

test('applies a form if there is no other consent, and ignores a STOP', () => {
  expect(decisiveEvent(['given', 'form'])).toBe('given')
  expect(decisiveEvent(['revoked', 'STOP'], ['given', 'form'])).toBe('given')
  expect([decisiveEvent(['revoked', 'STOP']), decisiveEvent()]).toEqual([undefined, undefined])
})

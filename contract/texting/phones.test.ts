import { expect, test } from 'vitest'
import { decisiveConsent, type TextConsent } from './phones.ts'

const holds = (...newestFirst: [TextConsent['event'], TextConsent['source']][]) =>
  decisiveConsent(newestFirst.map(([event, source]) => ({ event, source })))?.event

test('of the consents of a phone the newest holds, but a form ends no withdrawal', () => {
  expect(holds(['given', 'form'], ['revoked', 'instructor'])).toBe('revoked')
  expect(holds(['given', 'paper'], ['revoked', 'instructor'], ['given', 'form'])).toBe('given')
  expect(holds(['given', 'START'], ['revoked', 'STOP'], ['revoked', 'instructor'])).toBe('given')
})

test('a form alone is a consent, and a STOP is kept apart', () => {
  expect(holds(['given', 'form'])).toBe('given')
  expect(holds(['revoked', 'STOP'], ['given', 'form'])).toBe('given')
  expect([holds(['revoked', 'STOP']), holds()]).toEqual([undefined, undefined])
})

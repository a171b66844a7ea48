import { expect, test } from 'vitest'
import { decisiveConsent, type TextConsent } from './phones.ts'

const holds = (...newestFirst: [TextConsent['event'], TextConsent['source']][]) =>
  decisiveConsent(newestFirst.map(([event, source]) => ({ event, source })))?.event

test('applies the newest consent, but a form does not end a withdrawal', () => {
  expect(holds(['given', 'form'], ['revoked', 'instructor'])).toBe('revoked')
  expect(holds(['given', 'paper'], ['revoked', 'instructor'], ['given', 'form'])).toBe('given')
  expect(holds(['given', 'START'], ['revoked', 'STOP'], ['revoked', 'instructor'])).toBe('given')
})

test('counts a form if there is nothing else, and ignores a STOP record', () => {
  expect(holds(['given', 'form'])).toBe('given')
  expect(holds(['revoked', 'STOP'], ['given', 'form'])).toBe('given')
  expect([holds(['revoked', 'STOP']), holds()]).toEqual([undefined, undefined])
})

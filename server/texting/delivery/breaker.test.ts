import { expect, test } from 'vitest'
import { breaker } from './breaker.ts'

test('eight calls in a row without an answer stop all sending for 5 s, eight refused as too fast for 1 s', () => {
  for (const [outcome, seconds] of [['unknown', 5] as const, ['slow-down', 1] as const]) {
    const trouble = breaker()
    expect(Array.from({ length: 9 }, () => trouble(outcome))).toEqual([0, 0, 0, 0, 0, 0, 0, seconds, seconds])
    expect([trouble(null), trouble(outcome)]).toEqual([0, 0])
  }
})

test('a text refused for itself says nothing about the provider', () => {
  const trouble = breaker()
  for (let times = 0; times < 7; times += 1) trouble('unknown')
  expect([trouble('refused'), trouble('unknown')]).toEqual([0, 0])
})

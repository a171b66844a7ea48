import { expect, test } from 'vitest'
import { describeBeltTests } from './describe-belt-tests.ts'

test('says which of the students are in an upcoming belt test', () => {
  const describeTests = (...belt_tests: { held_on: string; names: string[] }[]) =>
    describeBeltTests({ students: [], belt_tests }, '2026-11-27')
  expect(describeTests()).toBe('')
  expect(describeTests({ held_on: '2026-11-27', names: ['Ken Adams'] })).toBe(
    'Ken is in the belt test today.',
  )
  expect(
    describeTests(
      { held_on: '2026-11-27', names: ['Ken Adams', 'Mia Brown'] },
      { held_on: '2026-12-05', names: ['Ken Adams', 'Leo Diaz', 'Mia Brown'] },
    ),
  ).toBe(
    'Ken and 1 other are in the belt test today. ' +
      'Ken and 2 others are in the belt test on Saturday, December 5.',
  )
})

import { expect, test } from 'vitest'
import { BELT_TEST_NAMES, beltTestLabels } from './belt-test.ts'

test('returns the singular and plural of each name, with and without a capital letter', () => {
  expect(BELT_TEST_NAMES.map((name) => Object.values(beltTestLabels(name)))).toEqual([
    ['belt test', 'belt tests', 'Belt test', 'Belt tests'],
    ['grading', 'gradings', 'Grading', 'Gradings'],
    ['promotion', 'promotions', 'Promotion', 'Promotions'],
  ])
})

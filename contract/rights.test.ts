import { expect, test } from 'vitest'
import { missingRight } from './needed-rights.ts'
import { ALL_RIGHTS, refusalWithout, RIGHTS, type Right } from './rights.ts'

const NO_RIGHTS: ReadonlySet<Right> = new Set()

test('every right comes after the rights that it needs', () => {
  for (const right of ALL_RIGHTS)
    for (const neededRight of RIGHTS[right].needs) {
      expect(ALL_RIGHTS).toContain(neededRight)
      expect(ALL_RIGHTS.indexOf(neededRight)).toBeLessThan(ALL_RIGHTS.indexOf(right))
    }
})

test('a call may need one right, several, or none', () => {
  expect(missingRight('any', NO_RIGHTS)).toBeUndefined()
  expect(missingRight('own', NO_RIGHTS)).toBeUndefined()
  expect(missingRight('roll', NO_RIGHTS)).toBe('roll')
  expect(missingRight(['texts.send', 'money.see'], new Set(['texts.send']))).toBe('money.see')
  expect(missingRight(['texts.send', 'money.see'], new Set(ALL_RIGHTS))).toBeUndefined()
})

test('a refusal says which right is missing', () => {
  expect(refusalWithout('money.see')).toBe(
    'Your login may not see who owes money, and all figures. Ask the owner.',
  )
})

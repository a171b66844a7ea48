import { expect, test } from 'vitest'
import { findVagueNames } from './check-names.ts'

test.each([
  ['a variable', 'const found = find()', '1:7: found'],
  ['a parameter', 'fees.map((one) => one.amount)', '1:11: one'],
  ['a function', 'function until() {}', '1:10: until'],
  ['a type', 'type Known = string', '1:6: Known'],
  ['a constant', 'const REFUSED = 409', '1:7: REFUSED'],
  ['a rest element', '\nconst [first, ...others] = fees', '2:18: others'],
  ['a renamed field', 'const { amount: paid } = fee', '1:17: paid'],
  ['a setter without set', 'const [day, choose] = useState(1)', '1:13: choose'],
])('reports %s with a vague name', (_, source, name) => {
  expect(findVagueNames(source)).toEqual([name])
})

test.each([
  ['a noun', 'const fees = findFees((fee) => fee.isPaid)'],
  ['a field with its original name', 'const { from, to = today } = query'],
  ['the field of a type', 'type Fee = { paid: boolean }'],
  ['a setter', 'const [isPaid, setPaid] = useState(false)'],
])('accepts %s', (_, source) => {
  expect(findVagueNames(source)).toEqual([])
})

import { expect, test } from 'vitest'
import { guardFormula, joinNames, splitNames, unguardFormula } from './students-csv.ts'

const FORMULAS = [
  '=1+1',
  '+15551234567',
  '-2',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '＝1+1',
  "'=1",
  "''+1",
]
const PLAIN_CELLS = [
  '',
  'Ken',
  "O'Brien",
  "'tis",
  '0042',
  ' =1',
  '(512) 555-0142',
  '🥋 "quoted", and\nbroken',
]

test.each(FORMULAS)('guards the formula %j, and restores it', (cell) => {
  const guardedCell = guardFormula(cell)
  expect(guardedCell).toBe(`'${cell}`)
  expect(unguardFormula(guardedCell)).toBe(cell)
})

test.each(PLAIN_CELLS)('leaves %j unchanged in both directions', (cell) => {
  expect([guardFormula(cell), unguardFormula(cell)]).toEqual([cell, cell])
})

test.each([
  [['Kids Judo', 'Open Mat'], 'Kids Judo; Open Mat'],
  [['Kids; small', 'A\\B'], 'Kids\\; small; A\\\\B'],
  [['Kids, small', 'Mon|Wed'], 'Kids\\, small; Mon\\|Wed'],
  [[], ''],
])('joins %j into one cell, and splits it again', (names, cell) => {
  expect(joinNames(names)).toBe(cell)
  expect(splitNames(cell)).toEqual(names)
})

test('splits names at semicolons, commas, bars and line breaks', () => {
  expect(splitNames('Kids Judo;Open Mat ;; ')).toEqual(['Kids Judo', 'Open Mat'])
  expect(splitNames('Kids, Teens|Open Mat\nJudo')).toEqual(['Kids', 'Teens', 'Open Mat', 'Judo'])
})

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
const PLAIN = [
  '',
  'Ken',
  "O'Brien",
  "'tis",
  '0042',
  ' =1',
  '(512) 555-0142',
  '🥋 "quoted", and\nbroken',
]

test.each(FORMULAS)('%j begins no formula any more, and comes back as it was', (cell) => {
  const guardedCell = guardFormula(cell)
  expect(guardedCell).toBe(`'${cell}`)
  expect(unguardFormula(guardedCell)).toBe(cell)
})

test.each(PLAIN)('%j is left alone, both ways', (cell) => {
  expect([guardFormula(cell), unguardFormula(cell)]).toEqual([cell, cell])
})

test.each([
  [['Kids Judo', 'Open Mat'], 'Kids Judo; Open Mat'],
  [['Kids; small', 'A\\B'], 'Kids\\; small; A\\\\B'],
  [['Kids, small', 'Mon|Wed'], 'Kids\\, small; Mon\\|Wed'],
  [[], ''],
])('writes %j into one cell and reads them back', (names, cell) => {
  expect(joinNames(names)).toBe(cell)
  expect(splitNames(cell)).toEqual(names)
})

test('reads lists of names as people type them', () => {
  expect(splitNames('Kids Judo;Open Mat ;; ')).toEqual(['Kids Judo', 'Open Mat'])
  expect(splitNames('Kids, Teens|Open Mat\nJudo')).toEqual(['Kids', 'Teens', 'Open Mat', 'Judo'])
})

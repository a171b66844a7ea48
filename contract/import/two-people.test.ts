import { expect, test } from 'vitest'
import { readRow } from './rows.ts'

const read = (name: string, guardian: string) =>
  readRow(['name', 'guardian_name'], [name, guardian], {
    order: 'month-first',
    today: '2026-11-22',
  })

test.each([
  ['Ken and Mia Boyle', 'Ann Boyle'],
  ['Ken & Mia Boyle', 'Ann Boyle'],
  ['Ken Moss / Mia Moss', 'Jo Moss'],
  ['Smith, John and Jane', 'Al Smith'],
  ['Tom, Leo Drew', 'Di Drew'],
  ['Tom, Leo, Mia Drew', ''],
  ['Ida Roe\nIan Roe', 'Ed Roe'],
  ['Ken Moss; Mia Moss', ''],
])('reports two children in one cell: %j', (name, guardian) => {
  expect(read(name, guardian).problems).toEqual([
    { field: 'name', message: 'Two people in one cell? Please give each a row' },
  ])
})

test.each([
  'Drew, Tom Leo',
  'Ken (Kenny) Adams',
  'Ken\nAdams',
  'Alexander Sanders',
  'Smith Jr., John',
  'Ann Kim, PhD',
])('reads %j as one child', (name) => {
  expect(read(name, 'Di Drew').problems).toEqual([])
})

test('reads two first names before one surname as two children', () => {
  const reading = { order: 'month-first', today: '2026-11-22' } as const
  const problems = ['Ken & Mia', 'Ken, Mia', 'Ken/Mia', 'Ken and Mia'].map(
    (first) => readRow(['first_name', 'last_name'], [first, 'Boyle'], reading).problems.length,
  )
  expect(problems).toEqual([1, 1, 1, 1])
})

import { expect, test } from 'vitest'
import { readRow } from './rows.ts'

const OPTIONS = { order: 'month-first', today: '2026-11-22' } as const
const readNames = (name: string, guardian: string) =>
  readRow(['name', 'guardian_name'], [name, guardian], OPTIONS)

test.each([
  ['Ken and Mia Boyle', 'Ann Boyle'],
  ['Ken & Mia Boyle', 'Ann Boyle'],
  ['Ken Moss / Mia Moss', 'Jo Moss'],
  ['Smith, John and Jane', 'Al Smith'],
  ['Tom, Leo Drew', 'Di Drew'],
  ['Tom, Leo, Mia Drew', ''],
  ['Ida Roe\nIan Roe', 'Ed Roe'],
  ['Ken Moss; Mia Moss', ''],
])('refuses two children in one cell: %j', (name, guardian) => {
  expect(readNames(name, guardian).problems).toEqual([
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
  expect(readNames(name, 'Di Drew').problems).toEqual([])
})

test('refuses two first names with one last name', () => {
  for (const firstNames of ['Ken & Mia', 'Ken, Mia', 'Ken/Mia', 'Ken and Mia']) {
    const { problems } = readRow(['first_name', 'last_name'], [firstNames, 'Boyle'], OPTIONS)
    expect(problems).toHaveLength(1)
  }
})

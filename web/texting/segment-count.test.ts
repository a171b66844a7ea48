import { expect, test } from 'vitest'
import { countSegments } from './segment-count.ts'

test('counts the segments of each text with its name filled in', () => {
  const three = [['Ken Adams'], ['Mia Chen'], ['Ken Burns']]
  expect(countSegments('Hi {name}, no class today. ', three)).toEqual({ texts: 3, least: 1, most: 1, total: 3, cause: null })
  const two = [['Ken Adams'], ['Maximilian Chen']]
  expect(countSegments(`{name}${'x'.repeat(157)}`, two)).toEqual({ texts: 2, least: 1, most: 2, total: 3, cause: null })
})

test('counts 70 characters a segment for a name outside GSM-7', () => {
  expect(countSegments(`{name}${'x'.repeat(80)}`, [['Ken Adams'], ['Łukasz Nowak']])).toMatchObject({ least: 1, most: 2, cause: 'name' })
  expect(countSegments('{name}, no class today.', [['Łukasz Nowak']])).toMatchObject({ most: 1, cause: null })
  expect(countSegments(`{name} 🥋${'x'.repeat(80)}`, [['Łukasz Nowak']])).toMatchObject({ most: 2, cause: 'words' })
})

test('counts a text that several students share once, with all their names', () => {
  const family = [['Leo Chen', 'Mia Chen'], ['Ken Adams']]
  expect(countSegments(`{name}${'x'.repeat(150)}`, family)).toMatchObject({ texts: 2, least: 1, most: 2, total: 3 })
})

test('counts no segments without recipients or text', () => {
  expect(countSegments('Hi', [])).toMatchObject({ texts: 0, most: 0, total: 0 })
  expect(countSegments('  ', [['Ken Adams']])).toMatchObject({ texts: 1, most: 0, total: 0 })
})

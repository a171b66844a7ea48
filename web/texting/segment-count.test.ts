import { expect, test } from 'vitest'
import { weightOf } from './segment-count.ts'

test('each text is weighed as it will read', () => {
  const three = ['Ken Adams', 'Mia Chen', 'Ken Burns']
  expect(weightOf('Hi {name}, no class today. ', three)).toEqual({ texts: 3, least: 1, most: 1, total: 3, cause: null })
  const two = ['Ken Adams', 'Maximilian Chen']
  expect(weightOf(`{name}${'x'.repeat(157)}`, two)).toEqual({ texts: 2, least: 1, most: 2, total: 3, cause: null })
})

test('a name outside GSM-7 makes its text one of 70 characters a segment', () => {
  expect(weightOf(`{name}${'x'.repeat(80)}`, ['Ken Adams', 'Łukasz Nowak'])).toMatchObject({ least: 1, most: 2, cause: 'name' })
  expect(weightOf('{name}, no class today.', ['Łukasz Nowak'])).toMatchObject({ most: 1, cause: null })
  expect(weightOf(`{name} 🥋${'x'.repeat(80)}`, ['Łukasz Nowak'])).toMatchObject({ most: 2, cause: 'words' })
})

test('nobody, or no words, weigh nothing', () => {
  expect(weightOf('Hi', [])).toMatchObject({ texts: 0, most: 0, total: 0 })
  expect(weightOf('  ', ['Ken Adams'])).toMatchObject({ texts: 1, most: 0, total: 0 })
})

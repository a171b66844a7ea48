import { expect, test } from 'vitest'
import { countSegments, savedSegments } from '../texting/segment-count.ts'

/** By name, without an amount. */
const texts = (...names: string[][]) => names.map((ofText) => ofText.map((name) => ({ name })))

test('counts the segments of each text with its name filled in', () => {
  const three = texts(['Ken Adams'], ['Mia Chen'], ['Ken Burns'])
  expect(countSegments('Hi {name}, no class today. ', three)).toEqual({
    texts: 3,
    least: 1,
    most: 1,
    total: 3,
    cause: null,
  })
  const two = texts(['Ken Adams'], ['Maximilian Chen'])
  expect(countSegments(`{name}${'x'.repeat(157)}`, two)).toEqual({
    texts: 2,
    least: 1,
    most: 2,
    total: 3,
    cause: null,
  })
})

test('counts 70 characters a segment for a name outside GSM-7', () => {
  expect(
    countSegments(`{name}${'x'.repeat(80)}`, texts(['Ken Adams'], ['Łukasz Nowak'])),
  ).toMatchObject({
    least: 1,
    most: 2,
    cause: 'name',
  })
  expect(countSegments('{name}, no class today.', texts(['Łukasz Nowak']))).toMatchObject({
    most: 1,
    cause: null,
  })
  expect(countSegments(`{name} 🥋${'x'.repeat(80)}`, texts(['Łukasz Nowak']))).toMatchObject({
    most: 2,
    cause: 'words',
  })
})

test('counts a text that several students share once, with all their names', () => {
  const family = texts(['Leo Chen', 'Mia Chen'], ['Ken Adams'])
  expect(countSegments(`{name}${'x'.repeat(150)}`, family)).toMatchObject({
    texts: 2,
    least: 1,
    most: 2,
    total: 3,
  })
})

test('counts the sum of the fees that a text is about', () => {
  const words = `{amount}${'x'.repeat(153)}`
  expect(countSegments(words, [[{ name: 'Leo Chen', amount: 72 }]])).toMatchObject({ most: 1 })
  const family = [
    { name: 'Leo Chen', amount: 72 },
    { name: 'Mia Chen', amount: 90 },
  ]
  expect(countSegments(words, [family])).toMatchObject({ texts: 1, most: 1 })
  expect(countSegments(`${words}x`, [family])).toMatchObject({ texts: 1, most: 2 })
  expect(countSegments('{amount}', texts(['Ken Adams'])), 'not about fees').toMatchObject({
    most: 1,
  })
})

test('counts no segments without recipients or text', () => {
  expect(countSegments('Hi', [])).toMatchObject({ texts: 0, most: 0, total: 0 })
  expect(countSegments('  ', texts(['Ken Adams']))).toMatchObject({ texts: 1, most: 0, total: 0 })
})

test('says what other words would save, where they do', () => {
  const two = texts(['Ken Adams'], ['Mia Chen'])
  const long = 'x'.repeat(90)
  expect(savedSegments(`It’s ${long}`, `It's ${long}`, two)).toEqual({ now: 4, plain: 2 })
  expect(savedSegments('It’s', "It's", two), 'one segment either way').toBe(null)
  expect(savedSegments(long, long, two)).toBe(null)
  expect(
    savedSegments(`{name}, it’s ${long}`, `{name}, it's ${long}`, texts(['Łukasz Nowak'])),
    'the name needs Unicode anyway',
  ).toBe(null)
})

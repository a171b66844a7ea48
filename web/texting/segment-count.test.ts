import { expect, test } from 'vitest'
import { countSegments, findSegmentSaving } from './segment-count.ts'

/** Creates texts from the names of the students of each text. */
const createTexts = (...names: string[][]) =>
  names.map((namesOfText) => namesOfText.map((name) => ({ name })))

test('fills in the name before it counts the segments of a text', () => {
  const threeTexts = createTexts(['Ken Adams'], ['Mia Chen'], ['Ken Burns'])
  expect(countSegments('Hi {name}, no class today. ', threeTexts)).toEqual({
    textCount: 3,
    minSegments: 1,
    maxSegments: 1,
    totalSegments: 3,
    unicodeCause: null,
  })
  // With "Ken", the text has 160 characters, which is one segment. With "Maximilian" it has more.
  const twoTexts = createTexts(['Ken Adams'], ['Maximilian Chen'])
  expect(countSegments(`{name}${'x'.repeat(157)}`, twoTexts)).toEqual({
    textCount: 2,
    minSegments: 1,
    maxSegments: 2,
    totalSegments: 3,
    unicodeCause: null,
  })
})

test('counts 70 characters per segment if a name or the message needs Unicode', () => {
  expect(
    countSegments(`{name}${'x'.repeat(80)}`, createTexts(['Ken Adams'], ['Łukasz Nowak'])),
  ).toMatchObject({ minSegments: 1, maxSegments: 2, unicodeCause: 'name' })
  expect(countSegments('{name}, no class today.', createTexts(['Łukasz Nowak']))).toMatchObject({
    maxSegments: 1,
    unicodeCause: null,
  })
  expect(countSegments(`{name} 🥋${'x'.repeat(80)}`, createTexts(['Łukasz Nowak']))).toMatchObject({
    maxSegments: 2,
    unicodeCause: 'message',
  })
})

test('counts a shared text once, with the names of all its students', () => {
  // "Leo and Mia" makes more than 160 characters, "Ken" does not.
  const family = createTexts(['Leo Chen', 'Mia Chen'], ['Ken Adams'])
  expect(countSegments(`{name}${'x'.repeat(150)}`, family)).toMatchObject({
    textCount: 2,
    minSegments: 1,
    maxSegments: 2,
    totalSegments: 3,
  })
})

test('counts the characters of the total fee of all students of a text', () => {
  // The sum, "$162.00", makes exactly 160 characters.
  const template = `{amount}${'x'.repeat(153)}`
  expect(countSegments(template, [[{ name: 'Leo Chen', amount: 72 }]])).toMatchObject({
    maxSegments: 1,
  })
  const family = [
    { name: 'Leo Chen', amount: 72 },
    { name: 'Mia Chen', amount: 90 },
  ]
  expect(countSegments(template, [family])).toMatchObject({ textCount: 1, maxSegments: 1 })
  expect(countSegments(`${template}x`, [family])).toMatchObject({ textCount: 1, maxSegments: 2 })
  expect(countSegments('{amount}', createTexts(['Ken Adams'])), 'not about fees').toMatchObject({
    maxSegments: 1,
  })
})

test('counts no segments without recipients or text', () => {
  expect(countSegments('Hi', [])).toMatchObject({ textCount: 0, maxSegments: 0, totalSegments: 0 })
  expect(countSegments('  ', createTexts(['Ken Adams']))).toMatchObject({
    textCount: 1,
    maxSegments: 0,
    totalSegments: 0,
  })
})

test('compares with plain characters if they take fewer segments', () => {
  const twoTexts = createTexts(['Ken Adams'], ['Mia Chen'])
  const longText = 'x'.repeat(90)
  expect(findSegmentSaving(`It’s ${longText}`, `It's ${longText}`, twoTexts)).toEqual({
    currentCount: 4,
    plainCount: 2,
  })
  expect(findSegmentSaving('It’s', "It's", twoTexts), 'one segment either way').toBe(null)
  expect(findSegmentSaving(longText, longText, twoTexts)).toBe(null)
  expect(
    findSegmentSaving(
      `{name}, it’s ${longText}`,
      `{name}, it's ${longText}`,
      createTexts(['Łukasz Nowak']),
    ),
    'the name needs Unicode anyway',
  ).toBe(null)
})

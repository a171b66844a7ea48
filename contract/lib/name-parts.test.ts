import { expect, test } from 'vitest'
import { fillTemplate } from '../texting/message-types.ts'
import { firstName, initials, shortNames } from './name-parts.ts'

test('shortens last names to the fewest letters that tell people apart', () => {
  expect(shortNames(['Emma Jones', 'Emma Smith', 'Leo Jones', 'Ann'])).toEqual([
    'Emma J.',
    'Emma S.',
    'Leo J.',
    'Ann',
  ])
  expect(shortNames(['Emma Jones', 'Emma Johnson', 'Emma Miller', 'Emma Jo'])).toEqual([
    'Emma Jon.',
    'Emma Joh.',
    'Emma M.',
    'Emma Jo',
  ])
  expect(shortNames(['Emma Lee', 'Emma Lee', 'Emma Le'])).toEqual([
    'Emma Lee',
    'Emma Lee',
    'Emma Le',
  ])
})

test('tells thousands of names with the same beginning apart', () => {
  const beginning = `Kim ${'a'.repeat(80)}`
  const names = Array.from({ length: 6000 }, (_, number) => `${beginning}${number + 1000}`)
  expect(shortNames([...names, 'Kim Adams'])).toEqual([...names, 'Kim A.'])
})

test.each([
  ['Tom Fox Jr.', 'Tom', 'Tom F.'],
  ['Tom Fox, Sr.', 'Tom', 'Tom F.'],
  ['Tom Fox III', 'Tom', 'Tom F.'],
  ['Ann Lee PhD', 'Ann', 'Ann L.'],
  ['Tom Jr.', 'Tom', 'Tom'],
  ['St. John Rivers', 'St. John', 'St. John R.'],
  ['St John Rivers III', 'St John', 'St John R.'],
  ['St. John', 'St.', 'St. J.'],
  [' Leo  Diaz ', 'Leo', 'Leo D.'],
  ['', '', ''],
])('shortens %j to the first name %j or to %j', (name, first, short) => {
  expect(firstName(name)).toBe(first)
  expect(shortNames([name])).toEqual([short])
  expect(fillTemplate('Hi {name}!', [{ name }])).toBe(`Hi ${first}!`)
})

test.each([
  ['Leo Diaz', 'LD'],
  ['Ana Maria de la Cruz', 'AC'],
  ["sean o'brien jr.", 'SO'],
  ['St. John Rivers', 'SR'],
  ['Émile Zola', 'ÉZ'],
  ['Madonna', 'M'],
  ['山田 太郎', '山太'],
  ['', ''],
])('the initials of %j are %j', (name, letters) => {
  expect(initials(name)).toBe(letters)
})

import { expect, test } from 'vitest'
import { shortNames } from './kiosk.ts'

test('names are shortened as far as they can be told apart', () => {
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

test('thousands of names that begin alike are told apart', () => {
  const beginning = `Kim ${'a'.repeat(80)}`
  const names = Array.from({ length: 6000 }, (_, number) => `${beginning}${number + 1000}`)
  expect(shortNames([...names, 'Kim Adams'])).toEqual([...names, 'Kim A.'])
})

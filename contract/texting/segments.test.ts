import { expect, test } from 'vitest'
import { segmentsOf } from './segments.ts'

test.each([
  ['no text at all', '', 0, 0],
  ['as much as one holds', 'a'.repeat(160), 1, 160],
  ['one character more', 'a'.repeat(161), 2, 161],
  ['as much as two hold', 'a'.repeat(2 * 153), 2, 306],
  ['one character more than two hold', 'a'.repeat(2 * 153 + 1), 3, 307],
  ['accents and line breaks of the alphabet', 'Señor Müller, à Kyù:\n', 1, 21],
  ['characters that take two places', '^{}\\[~]|€', 1, 18],
  ['as many of them as one holds', '€'.repeat(80), 1, 160],
  ['one of them too many', `${'a'.repeat(159)}€`, 2, 161],
  [
    'one that would be cut in half at the end of the first',
    `${'a'.repeat(152)}€${'a'.repeat(152)}`,
    3,
    306,
  ],
  ['one that just fits into the first', `${'a'.repeat(151)}€${'a'.repeat(153)}`, 2, 306],
])('GSM-7: %s', (_, text, segments, characters) => {
  expect(segmentsOf(text)).toEqual({ segments, encoding: 'GSM-7', characters })
})

test.each([
  ['as much as one holds', '空'.repeat(70), 1, 70],
  ['one character more', '空'.repeat(71), 2, 71],
  ['as much as two hold', '空'.repeat(2 * 67), 2, 134],
  ['one character more than two hold', '空'.repeat(2 * 67 + 1), 3, 135],
  ['one character makes a whole text so', `${'a'.repeat(159)}’`, 3, 160],
  ['what takes two places in GSM-7 takes one here', `空${'€'.repeat(69)}`, 1, 70],
  ['emoji take two places', '🥋'.repeat(35), 1, 70],
  [
    'an emoji that would be cut in half at the end of the first',
    `${'空'.repeat(66)}🥋${'空'.repeat(66)}`,
    3,
    134,
  ],
  ['an emoji that just fits into the first', `${'空'.repeat(65)}🥋${'空'.repeat(67)}`, 2, 134],
])('Unicode: %s', (_, text, segments, characters) => {
  expect(segmentsOf(text)).toEqual({ segments, encoding: 'Unicode', characters })
})

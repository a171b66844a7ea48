import { expect, test } from 'vitest'
import { segmentsOf } from './segments.ts'

test.each([
  ['empty text', '', 0, 0],
  ['one full segment', 'a'.repeat(160), 1, 160],
  ['one character more than one segment', 'a'.repeat(161), 2, 161],
  ['two full segments', 'a'.repeat(2 * 153), 2, 306],
  ['one character more than two segments', 'a'.repeat(2 * 153 + 1), 3, 307],
  ['accented letters and line breaks', 'Señor Müller, à Kyù:\n', 1, 21],
  ['double-width characters', '^{}\\[~]|€', 1, 18],
  ['one segment full of double-width characters', '€'.repeat(80), 1, 160],
  ['a double-width character that does not fit in one segment', `${'a'.repeat(159)}€`, 2, 161],
  [
    'a double-width character that would be split between two segments',
    `${'a'.repeat(152)}€${'a'.repeat(152)}`,
    3,
    306,
  ],
  [
    'a double-width character that just fits in the first segment',
    `${'a'.repeat(151)}€${'a'.repeat(153)}`,
    2,
    306,
  ],
])('counts the GSM-7 segments of %s', (_, text, segments, characters) => {
  expect(segmentsOf(text)).toEqual({ segments, encoding: 'GSM-7', characters })
})

test.each([
  ['one full segment', '空'.repeat(70), 1, 70],
  ['one character more than one segment', '空'.repeat(71), 2, 71],
  ['two full segments', '空'.repeat(2 * 67), 2, 134],
  ['one character more than two segments', '空'.repeat(2 * 67 + 1), 3, 135],
  ['GSM-7 text with one Unicode character', `${'a'.repeat(159)}’`, 3, 160],
  ['characters that are double-width only in GSM-7', `空${'€'.repeat(69)}`, 1, 70],
  ['emoji, which are double-width', '🥋'.repeat(35), 1, 70],
  [
    'an emoji that would be split between two segments',
    `${'空'.repeat(66)}🥋${'空'.repeat(66)}`,
    3,
    134,
  ],
  [
    'an emoji that just fits in the first segment',
    `${'空'.repeat(65)}🥋${'空'.repeat(67)}`,
    2,
    134,
  ],
])('counts the Unicode segments of %s', (_, text, segments, characters) => {
  expect(segmentsOf(text)).toEqual({ segments, encoding: 'Unicode', characters })
})

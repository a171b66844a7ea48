import { describe, expect, test } from 'vitest'
import { unrestrictedName, properName } from './fields.ts'
import { hasInvisibleCharacters, isName, extractName } from './names.ts'

const VALID_NAMES = [
  'Ken Adams',
  "O'Brien",
  'O’Brien',
  "O' Brien",
  'D’Angelo',
  "Coeur d'Alene",
  "Qur'an",
  'To‘oto‘o',
  '‘Okina',
  'ʻOkina',
  "'s-Hertogenbosch",
  '’t Hooft',
  'Smith-Jones',
  'Jean-Luc',
  'Winston-Salem',
  'Anne‑Marie',
  "Anne-Marie O'Connor-Smith",
  'J.-P. Martin',
  'Ka-‘Iulani',
  'Ken Adams Jr.',
  "O'Neil Jr.",
  'St. Louis',
  'St.Louis',
  'J.R.',
  'J.R.R. Adams',
  'Zoë',
  'Zoë'.normalize('NFD'),
  'Nguyễn Thị Ánh',
  '山田 太郎',
  '山田　太郎',
  '渡邊\u{E0104}',
  'عبد الرحمن',
  'علی\u200Cرضا',
  'ශ්\u200Dරී',
  'क्\u200Dष',
  'अनिता',
  'Ольга',
  "ג'ורג'",
  'בן־גוריון',
]
const INVALID_NAMES = [
  "D'",
  "O'-Brien",
  "O''Brien",
  'O’’Brien',
  "Ann'",
  "'Ann'",
  'Tom ‘Tommy’ Adams',
  '-',
  '--',
  '- -',
  '-Smith',
  'Smith-',
  'Smith - Jones',
  'Smith--Jones',
  'Smith–Jones',
  '.',
  '...',
  '.Ann',
  'Jr..',
  'Ken 2',
  'Ken٣',
  'Ann_Lee',
  'Lee, Ann',
  'علی\u200C',
  'Ann & Bob',
  'O`Brien',
  'Ann 😀',
  '<b>',
  '\u0301',
]
/** Direction marks, zero-width characters and letters without a shape. */
const INVISIBLE_CHARACTERS = [
  ...['\u00AD', '\u061C', '\u180E', '\u200B', '\u200E', '\u200F', '\u202A', '\u202B', '\u202D'],
  ...['\u202E', '\u2060', '\u2066', '\u2067', '\u2068', '\u2069', '\uFEFF', '\u{E0041}'],
  ...['\u115F', '\u3164', '\uFFA0', '\u034F', '\u17B4'],
]

describe('properName', () => {
  test.each(VALID_NAMES)('accepts %j unchanged', (name) => {
    expect(properName('Name').parse(name)).toBe(name)
  })

  test.each(INVALID_NAMES)('refuses %j', (text) => {
    expect(properName('Name').safeParse(text).error?.issues.at(-1)?.message).toBe(
      'Name may contain letters and spaces only',
    )
  })

  test('refuses invisible characters', () => {
    for (const character of [...INVISIBLE_CHARACTERS, '\u200C', '\u200D', '\u2028', '\u2800'])
      expect([character, isName(`An${character}n`), isName(`Ann ${character} Lee`)]).toEqual([
        character,
        false,
        false,
      ])
  })

  test('checks very long names in less than half a second', () => {
    const start = performance.now()
    for (const words of ["a'", "a' ", "'a ", 'a-', 'a.', 'a\u0301', 'a'])
      for (const end of ['', '!', '-']) isName(words.repeat(5000) + end)
    expect(performance.now() - start).toBeLessThan(500)
  })
})

test.each([
  ['Flo\uFE0FRay', 'FloRay'],
  ['Ann \uFE0FLee', 'Ann Lee'],
  ['Ｏ＇Ｂｒｉｅｎ', "O'Brien"],
  ['Smith－Jones', 'Smith-Jones'],
  ['Ann  Lee', 'Ann Lee'],
  ['Ann \u00A0\u3000Lee', 'Ann Lee'],
])('cleans the name %j to %j', (input, name) => {
  expect(properName('Name').parse(input)).toBe(name)
  expect(unrestrictedName('Name').parse(input)).toBe(name)
})

test.each([
  ["Ann O'Brien (2)", "Ann O'Brien"],
  ['Mom 👩', 'Mom'],
  ['Smith-', 'Smith'],
  ['Ann & Bob', 'Ann Bob'],
  ['555-0100', ''],
])('extracts the name from %j: %j', (text, name) => {
  expect(extractName(text)).toBe(name)
  expect(name === '' || isName(name)).toBe(true)
})

test('allows visible characters in an unrestricted name, and joiners in scripts and emoji', () => {
  for (const name of ['Mom 👩‍👧 (2)', '❤️ Ann', 'علی‌رضا', 'ශ්‍රී', 'Grandma #2', '渡邊\u{E0104}'])
    expect([name, hasInvisibleCharacters(name)]).toEqual([name, false])
  for (const character of INVISIBLE_CHARACTERS)
    expect([character, hasInvisibleCharacters(`An${character}n`)]).toEqual([character, true])
})

import { regex } from './patterns.ts'
import { normalizeText } from './values.ts'

/** A Japanese or Korean grade, such as the 3rd kyu or the 2nd dan. A black belt degree is a dan. */
export type Grade = { unit: 'kyu' | 'gup' | 'dan' | 'poom' | 'mon'; number: number }

const UNITS: Record<string, Grade['unit']> = {
  kyu: 'kyu',
  gup: 'gup',
  geup: 'gup',
  kup: 'gup',
  dan: 'dan',
  degree: 'dan',
  deg: 'dan',
  poom: 'poom',
  pum: 'poom',
  mon: 'mon',
}
const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')
/** Each word's index is its number. */
const JAPANESE_GRADES: Record<'kyu' | 'dan', string[]> = {
  dan: '- shodan nidan sandan yondan godan rokudan nanadan hachidan kudan judan'.split(' '),
  kyu: '- ikkyu nikyu sankyu yonkyu gokyu rokkyu nanakyu hachikyu kukyu jukyu'.split(' '),
}
const ROMAN_NUMBERS = ['', 'i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x']
const NUMBER = String.raw`(\d{1,2}|[ivx]{1,4}|${ORDINALS.join('|')})`
const UNIT = `(${Object.keys(UNITS).join('|')})`
const NUMBER_FIRST = regex()`\b${NUMBER}(?:st|nd|rd|th)? ?${UNIT}\b`
const UNIT_FIRST = regex()`\b${UNIT} ?${NUMBER}\b`
/** "Black 2" and "Black belt II" */
const NUMBERED_BLACK = regex()`\bblack(?: belt)? ${NUMBER}(?:st|nd|rd|th)?$`

/** Reads "3rd kyu (brown)", "Black Belt, 2nd degree" or "Nidan". Returns null if the belt has no
 *  grade. */
export function parseGrade(belt: string): Grade | null {
  const words = normalizeText(belt)
  const [, number = '', unit = ''] = NUMBER_FIRST.exec(words) ?? []
  if (unit !== '') return toGrade(number, UNITS[unit])
  const [, leadingUnit = '', lastNumber = ''] = UNIT_FIRST.exec(words) ?? []
  if (leadingUnit !== '') return toGrade(lastNumber, UNITS[leadingUnit])
  const [, degree = ''] = NUMBERED_BLACK.exec(words) ?? []
  return degree === '' ? findJapaneseGrade(words) : toGrade(degree, 'dan')
}

function toGrade(numberText: string, unit: Grade['unit'] | undefined): Grade | null {
  const ordinal = ORDINALS.indexOf(numberText) + 1
  const roman = ROMAN_NUMBERS.indexOf(numberText)
  const number = /^\d/.test(numberText) ? Number(numberText) : Math.max(ordinal, roman)
  return unit === undefined || number < 1 ? null : { unit, number }
}

function findJapaneseGrade(words: string): Grade | null {
  for (const word of words.split(' '))
    for (const unit of ['dan', 'kyu'] as const) {
      const number = JAPANESE_GRADES[unit].indexOf(word)
      if (number > 0) return { unit, number }
    }
  return null
}

/** True for a 2nd dan or higher. */
export const isHighDegree = (grade: Grade | null): grade is Grade =>
  grade !== null && (grade.unit === 'dan' || grade.unit === 'poom') && grade.number > 1

export const isSameGrade = (grade: Grade, otherGrade: Grade | null): boolean =>
  grade.unit === otherGrade?.unit && grade.number === otherGrade.number

import { expect, test } from 'vitest'
import { decodeText } from './decode-text.ts'

/** In Latin-1, each character is one byte. */
const toLatin1Bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

test.each([
  ['UTF-8', new TextEncoder().encode('José, Иван'), 'José, Иван'],
  ['UTF-16', new Uint8Array([0xff, 0xfe, 0x4a, 0, 0xe9, 0]), 'Jé'],
  ['Windows-1252', toLatin1Bytes('Jos\xe9 Mu\xf1oz, J\xfcrgen'), 'José Muñoz, Jürgen'],
  ['Mac Roman', toLatin1Bytes('Jos\x8e Mu\x96oz, J\x9frgen B\x9ahm'), 'José Muñoz, Jürgen Böhm'],
  ['Windows-1250', toLatin1Bytes('\xa3ukasz Wi\x9cniewski, Pawe\xb3'), 'Łukasz Wiśniewski, Paweł'],
  ['Windows-1251', toLatin1Bytes('\xc8\xe2\xe0\xed \xcf\xe5\xf2\xf0\xee\xe2'), 'Иван Петров'],
])('recognizes %s', (_, bytes, text) => {
  expect(decodeText(bytes)).toEqual([{ text, samples: [] }])
})

type Encoding = 'windows-1252' | 'macintosh' | 'windows-1250' | 'windows-1251'

/** The opposite of TextDecoder. Node and browsers can encode only UTF-8. */
function encode(text: string, encoding: Encoding): Uint8Array {
  const decoder = new TextDecoder(encoding)
  const bytes = Array.from({ length: 256 }, (_, byte) => byte)
  const byteByLetter = new Map(bytes.map((byte) => [decoder.decode(new Uint8Array([byte])), byte]))
  return Uint8Array.from(text, (letter) => byteByLetter.get(letter) ?? Number.NaN)
}

test.each<[Encoding, string]>([
  ['windows-1252', 'José, Renée, Zoë, Müller'],
  ['windows-1252', 'Björn Åkesson, Søren Høegh'],
  ['windows-1252', 'François Lefèvre'],
  ['windows-1252', 'Ângela Gonçalves, João Simões, Conceição'],
  ['windows-1252', 'Sinéad, Róisín, Áine'],
  ['windows-1252', 'Þór, Guðrún'],
  ['windows-1252', 'O’Brien'],
  ['windows-1252', 'don’t text – “call”'],
  ['windows-1252', 'Mom’s car'],
  ['windows-1252', '€95'],
  ['windows-1252', '£95, ½'],
  ['windows-1252', '20°'],
  ['macintosh', 'José Muñoz, Zoë Müller'],
  ['macintosh', 'María'],
  ['macintosh', 'Jesús García'],
  ['macintosh', 'Noël'],
  ['macintosh', 'Björn Åkesson, Søren'],
  ['macintosh', 'João Simões, Seán O’Brien'],
  ['macintosh', 'don’t text – “call”'],
  ['windows-1250', 'Łukasz Wiśniewski, Zielińska'],
  ['windows-1250', 'Željko Šimić, Petrović'],
  ['windows-1250', 'Dvořák, Jiří'],
  ['windows-1250', 'Árpád Szőke, Győző'],
  ['windows-1250', 'Brăila, Crăciun'],
  ['windows-1250', 'don’t, Petrović'],
  ['windows-1251', 'Иван Петров'],
  ['windows-1251', 'ИВАН, Ольга Ёлкина'],
  ['windows-1251', 'Анна, Emily'],
  ['windows-1251', 'Олександр Їжак'],
])('gives the likeliest reading first: %s, %s', (encoding, text) => {
  expect(decodeText(encode(text, encoding))[0]?.text).toBe(text)
})

test('offers two spellings of the names in the file if both are possible', () => {
  const readings = decodeText(toLatin1Bytes('Ken Adams, Mich\xe8le, Petrovi\xe6, Luka'))
  expect(readings.map(({ samples }) => samples)).toEqual([
    ['Michčle', 'Petrović'],
    ['Michèle', 'Petroviæ'],
  ])
  expect(readings[0]?.text).toBe('Ken Adams, Michčle, Petrović, Luka')
})

test('keeps a reading that differs only in a later name', () => {
  const readings = decodeText(encode('Sol’s, Luc’s, Nic’s, sœur', 'windows-1252'))
  expect(readings.map(({ samples }) => samples)).toEqual([
    ['Sol’s', 'Luc’s', 'sœur'],
    ['Solís', 'Lucís', 'súur'],
    ['Sol’s', 'Luc’s', 'sśur'],
  ])
})

test('does not ask if only the Spanish ñ could be another letter', () => {
  expect(decodeText(toLatin1Bytes('Mu\xf1oz'))).toEqual([{ text: 'Muñoz', samples: [] }])
})

import { expect, test } from 'vitest'
import { decodeText } from './decode-text.ts'

/** The bytes of a text that was written as Latin-1: one byte for each character. */
const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

test.each([
  ['UTF-8', new TextEncoder().encode('José, Иван'), 'José, Иван'],
  ['UTF-16', new Uint8Array([0xff, 0xfe, 0x4a, 0, 0xe9, 0]), 'Jé'],
  ['Windows-1252', bytesOf('Jos\xe9 Mu\xf1oz, J\xfcrgen'), 'José Muñoz, Jürgen'],
  ['Mac Roman', bytesOf('Jos\x8e Mu\x96oz, J\x9frgen B\x9ahm'), 'José Muñoz, Jürgen Böhm'],
  ['Windows-1250', bytesOf('\xa3ukasz Wi\x9cniewski, Pawe\xb3'), 'Łukasz Wiśniewski, Paweł'],
  ['Windows-1251', bytesOf('\xc8\xe2\xe0\xed \xcf\xe5\xf2\xf0\xee\xe2'), 'Иван Петров'],
])('recognizes %s', (_, bytes, text) => {
  expect(decodeText(bytes)).toEqual([{ text, samples: [] }])
})

test('offers two spellings with names of the file if both are possible', () => {
  const readings = decodeText(bytesOf('Ken Adams, Mich\xe8le, Petrovi\xe6, Luka'))
  expect(readings.map(({ samples }) => samples)).toEqual([
    ['Michèle', 'Petroviæ'],
    ['Michčle', 'Petrović'],
  ])
  expect(readings[1]?.text).toBe('Ken Adams, Michčle, Petrović, Luka')
})

test('does not ask if only the Spanish ñ could be another letter', () => {
  expect(decodeText(bytesOf('Mu\xf1oz'))).toEqual([{ text: 'Muñoz', samples: [] }])
})

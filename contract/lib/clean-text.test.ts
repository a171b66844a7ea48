import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../api.ts'
import { cleanAddress, cleanText } from './clean-text.ts'
import { email, multiLineText, phone, searchText, singleLineText } from './fields.ts'

describe('a text', () => {
  test.each([
    ['\u202A+1 512 555 0142\u202C', '+1 512 555 0142'],
    ['\u202D512-555-0142\u202C', '512-555-0142'],
    ['\u2068Mia Ruiz\u2069', 'Mia Ruiz'],
    ['Mia\u00A0Ruiz\u200B', 'Mia Ruiz'],
    ['Mia\u202FRuiz\u2009Diaz', 'Mia Ruiz Diaz'],
    ['\uFEFFKen\u00AD', 'Ken'],
    ['Apt ４２Ｂ', 'Apt 42B'],
  ])('%j is cleaned to %j', (input, cleanedText) => {
    expect(cleanText(input)).toBe(cleanedText)
    expect(singleLineText('Name').parse(input)).toBe(cleanedText)
    expect(multiLineText('Notes').parse(` ${input}\n`)).toBe(cleanedText)
  })

  test.each(['Zoë', '空手', 'علی‌رضا', 'श्री', '👩🏽‍🎤', '‮abc', "O'Brien – 5½ ①"])(
    '%j stays as it is',
    (text) => {
      expect(cleanText(text)).toBe(text)
    },
  )

  test('of nothing but invisible marks is empty', () => {
    expect(singleLineText('Name').safeParse('\u200B\u00A0').error?.issues[0]?.message).toBe(
      'Name is required',
    )
    expect(searchText().parse('\u200B')).toBeUndefined()
  })
})

test.each([
  ['\u2066(512) 555-0143\u2069', '(512) 555-0143'],
  ['＋１（５１２）５５５－０１４２', '+1(512)555-0142'],
  ['512\u2011555\u20110142', '512-555-0142'],
  ['512\u00A0555\u2009 0142\u200D', '512 555  0142'],
])('the phone number %j is taken as %j', (input, number) => {
  expect(phone('Phone number').parse(input)).toBe(number)
})

test.each([
  ['mia@example.com\u200B', 'mia@example.com'],
  ['Mia＠Example．com', 'mia@example.com'],
  ['\u2060ken\u00AD@example.com ', 'ken@example.com'],
])('the email %j is taken as %j', (input, address) => {
  expect(email().parse(input)).toBe(address)
})

test('a sign that turns the text around is refused where only letters or digits may stand', () => {
  for (const field of [phone('Phone number'), email()])
    expect(field.safeParse('\u202E5125550142').success).toBe(false)
  expect(cleanAddress('\u202E1')).toBe('\u202E1')
})

/** Texts that are kept as typed, with the reason. */
const AS_TYPED: [field: RegExp, reason: string][] = [
  [/password/, 'a password is what its owner has typed'],
  [/^rows$/, 'the import cleans a cell where it reads it'],
]

type NamedSchema = { name: string; schema: z.ZodType }

function parts({ name, schema }: NamedSchema): NamedSchema[] {
  if (schema instanceof z.ZodObject)
    return Object.entries<z.ZodType>(schema.shape).map(([field, part]) => ({
      name: field,
      schema: part,
    }))
  const {
    innerType,
    element,
    in: input,
    out,
    options = [],
  } = schema.def as unknown as Record<string, z.ZodType> & {
    options?: z.ZodType[]
  }
  return [innerType, element, input, out, ...options].flatMap((part) =>
    part instanceof z.ZodType ? [{ name, schema: part }] : [],
  )
}

function textFields(field: NamedSchema): NamedSchema[] {
  if (field.schema instanceof z.ZodString) return [field]
  return parts(field).flatMap(textFields)
}

/** A pattern would refuse invisible marks; without one the field must remove them. */
function keepsInvisibleMarks({ schema }: NamedSchema): boolean {
  const { data } = schema.safeParse('Ken\u200BAdams')
  return typeof data === 'string' && data.includes('\u200B')
}

test('every call cleans the texts that people type', () => {
  const uncleanedFields = endpoints.flatMap(({ path, body, query }) =>
    [body, query]
      .flatMap((schema) => (schema ? textFields({ name: '', schema }) : []))
      .filter(({ name }) => AS_TYPED.every(([field]) => !field.test(name)))
      .filter(keepsInvisibleMarks)
      .map(({ name }) => `${path} ${name}`),
  )
  expect(uncleanedFields).toEqual([])
})

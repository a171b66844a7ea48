import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../api.ts'
import { cleanContactText, cleanText } from './clean-text.ts'
import { email, multiLineText, phone, searchText, singleLineText } from './fields.ts'

describe('cleanText', () => {
  test.each([
    ['\u202A+1 512 555 0142\u202C', '+1 512 555 0142'],
    ['\u202D512-555-0142\u202C', '512-555-0142'],
    ['\u2068Mia Ruiz\u2069', 'Mia Ruiz'],
    ['Mia\u00A0Ruiz\u200B', 'Mia Ruiz'],
    ['Mia\u202FRuiz\u2009Diaz', 'Mia Ruiz Diaz'],
    ['\uFEFFKen\u00AD', 'Ken'],
    ['Apt ４２Ｂ', 'Apt 42B'],
  ])('cleans %j to %j', (input, cleanedText) => {
    expect(cleanText(input)).toBe(cleanedText)
    expect(singleLineText('Name').parse(input)).toBe(cleanedText)
    expect(multiLineText('Notes').parse(` ${input}\n`)).toBe(cleanedText)
  })

  test.each(['Zoë', '空手', 'علی‌رضا', 'श्री', '👩🏽‍🎤', '‮abc', "O'Brien – 5½ ①"])(
    'leaves %j unchanged',
    (text) => {
      expect(cleanText(text)).toBe(text)
    },
  )

  test('treats text with only invisible characters as empty', () => {
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
])('cleans the phone number %j to %j', (input, number) => {
  expect(phone('Phone number').parse(input)).toBe(number)
})

test.each([
  ['mia@example.com\u200B', 'mia@example.com'],
  ['Mia＠Example．com', 'mia@example.com'],
  ['\u2060ken\u00AD@example.com ', 'ken@example.com'],
])('cleans the email %j to %j', (input, address) => {
  expect(email().parse(input)).toBe(address)
})

test('refuses a right-to-left override in phone numbers and emails', () => {
  for (const field of [phone('Phone number'), email()])
    expect(field.safeParse('\u202E5125550142').success).toBe(false)
  expect(cleanContactText('\u202E1')).toBe('\u202E1')
})

/** Fields that keep text exactly as typed, and the reason. */
const FIELDS_KEPT_AS_TYPED: [field: RegExp, reason: string][] = [
  [/password/, 'a password must stay exactly as typed'],
  [/^rows$/, 'the import cleans each cell when it reads it'],
]

type NamedSchema = { name: string; schema: z.ZodType }
type SchemaDefinition = Partial<
  Record<'innerType' | 'element' | 'in' | 'out', z.ZodType> & { options: z.ZodType[] }
>

function innerSchemas({ name, schema }: NamedSchema): NamedSchema[] {
  if (schema instanceof z.ZodObject)
    return Object.entries<z.ZodType>(schema.shape).map(([field, fieldSchema]) => ({
      name: field,
      schema: fieldSchema,
    }))
  // Optional schemas, arrays, pipes and unions each have different ones of these.
  const definition = schema.def as unknown as SchemaDefinition
  return [
    definition.innerType,
    definition.element,
    definition.in,
    definition.out,
    ...(definition.options ?? []),
  ]
    .filter((innerSchema) => innerSchema instanceof z.ZodType)
    .map((innerSchema) => ({ name, schema: innerSchema }))
}

function findTextFields(field: NamedSchema): NamedSchema[] {
  if (field.schema instanceof z.ZodString) return [field]
  return innerSchemas(field).flatMap(findTextFields)
}

/** A field must remove invisible marks, unless it has a pattern that refuses them. */
function keepsInvisibleMarks({ schema }: NamedSchema): boolean {
  const { data } = schema.safeParse('Ken\u200BAdams')
  return typeof data === 'string' && data.includes('\u200B')
}

test('every endpoint cleans the text that people type', () => {
  const isKeptAsTyped = (name: string) => FIELDS_KEPT_AS_TYPED.some(([field]) => field.test(name))
  const uncleanedFields: string[] = []
  for (const { path, body, query } of endpoints)
    for (const schema of [body, query]) {
      if (!schema) continue
      for (const field of findTextFields({ name: '', schema }))
        if (!isKeptAsTyped(field.name) && keepsInvisibleMarks(field))
          uncleanedFields.push(`${path} ${field.name}`)
    }
  expect(uncleanedFields).toEqual([])
})

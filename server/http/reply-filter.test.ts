import { endpoints } from '@tatami/contract/api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { compileReplyFilter } from './reply-filter.ts'

const person = z.object({
  name: z.string(),
  nick: z.string().nullable(),
  pets: z.array(z.object({ name: z.string() })),
  home: z.object({ city: z.string() }).nullable(),
})
const keptFields = { name: 'Ken', nick: null, pets: [{ name: 'Rex' }], home: { city: 'Austin' } }

test('drops fields that are not in the schema, at every depth', () => {
  const row = {
    ...keptFields,
    password_hash: 'x',
    pets: [{ name: 'Rex', chip: 7 }],
    home: { city: 'Austin', street: 'Main' },
  }
  expect(compileReplyFilter(person)(row)).toEqual(keptFields)
  expect(compileReplyFilter(z.array(person))([row, row])).toEqual([keptFields, keptFields])
  expect(
    compileReplyFilter(z.object({ person: person.nullable() }))({ person: row, token_hash: 'x' }),
  ).toEqual({ person: keptFields })
})

test('keeps null and missing values', () => {
  expect(compileReplyFilter(person)({ ...keptFields, home: null })).toEqual({
    ...keptFields,
    home: null,
  })
  expect(compileReplyFilter(person.nullable())(null)).toBeNull()
  expect(
    compileReplyFilter(z.object({ note: z.object({ text: z.string() }).optional() }))({
      secret: 1,
    }),
  ).toEqual({ note: undefined })
})

test('drops inherited fields that the schema does not have', () => {
  expect(
    compileReplyFilter(z.object({ name: z.string() }))(
      Object.create({ name: 'inherited', secret: 1 }, { name: { value: 'own', enumerable: true } }),
    ),
  ).toEqual({ name: 'own' })
})

/** The schemas of single values in a reply. Records may have any fields. */
function listLeafSchemas(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return listLeafSchemas(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodArray) return listLeafSchemas(schema.element as z.ZodType)
  if (schema instanceof z.ZodObject)
    return Object.values(schema.shape).flatMap((field) => listLeafSchemas(field as z.ZodType))
  return [schema]
}

test.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  'the reply of %s has only types that the filter supports',
  (_, { reply }) => {
    for (const leaf of listLeafSchemas(reply))
      expect(['string', 'number', 'boolean', 'literal', 'enum', 'record']).toContain(leaf.def.type)
  },
)

test('returns only fields of the schema, no matter what a row contains', () => {
  const rows = fc.record({
    name: fc.string(),
    nick: fc.option(fc.string()),
    pets: fc.array(
      fc.dictionary(fc.string(), fc.jsonValue()).map((pet) => ({ ...pet, name: 'Rex' })),
    ),
    home: fc.constant(null),
  })
  fc.assert(
    fc.property(rows, fc.dictionary(fc.string(), fc.jsonValue()), (row, extraFields) => {
      expect(
        z
          .strictObject(person.shape)
          .extend({ pets: z.array(z.strictObject({ name: z.string() })) })
          .safeParse(compileReplyFilter(person)({ ...extraFields, ...row })).success,
      ).toBe(true)
    }),
  )
})

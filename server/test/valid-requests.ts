import { addDays, utcDay } from '@tatami/contract/lib/calendar-day'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import fc from 'fast-check'
import { z } from 'zod'
import { newId } from '../db/columns.ts'
import { unwrapSchema } from '../http/example-body.ts'
import { now } from '../lib/clock.ts'
import { PASSWORD } from './fixtures.ts'
import type { Ids } from './sample-ids.ts'

/** Candidate values for all fields: a field accepts what its schema accepts. Add a value for a
 *  field that accepts none. */
const VALUES = [
  'Ken Adams',
  'ken@home.org',
  'aiko@dojo.com',
  '(512) 555-0142',
  '+15125550142',
  '512',
  '5550100',
  PASSWORD,
  '2015-03-01',
  '2026-01-02T00:00:00.000Z',
  '4:00 PM',
  '5:00 PM',
  'Hi {name}, bring water.',
  'America/Denver',
  'en',
  'https://push.example.com/a-browser',
  'B'.repeat(87),
  'A'.repeat(22),
  0,
  1,
  2,
  11,
  85.5,
  300,
  2026,
  true,
  false,
  null,
]

/** No payment is promised for that day. */
const inAMonth = () => addDays(utcDay(now()), 30)
const RARE_VALUES = ['2026-01', '18:30', '4711', 'A1'.repeat(24), 'a'.repeat(55)]

/** Which of a dojo's ids a field needs: the first pattern that matches its name, or the path
 *  segment before it. */
const ID_OF_FIELD: [pattern: RegExp, id: Exclude<keyof Ids, `${string}_email`>][] = [
  [/import/, 'import_id'],
  [/promotions\/acts/, 'act_id'],
  [/student/, 'student_id'],
  [/guardian|payer/, 'guardian_id'],
  [/famil/, 'family_change_id'],
  [/account/, 'instructor_id'],
  [/class/, 'class_id'],
  [/announcement/, 'announcement_id'],
  [/template/, 'template_id'],
  [/reply-action/, 'reply_action_id'],
  [/conversation/, 'conversation_id'],
  [/batch/, 'batch_id'],
  [/message|simulated/, 'message_id'],
  [/notification/, 'notification_id'],
  [/attendance/, 'attendance_id'],
  [/sensei/, 'instructor_id'],
  [/audit/, 'dojo_id'],
  [/check-in/, 'check_in_id'],
  [/kiosk/, 'kiosk_id'],
  [/session/, 'session_id'],
  [/passkey/, 'passkey_id'],
  [/promise/, 'promise_id'],
  [/charge/, 'charge_id'],
  [/ledger-act|act_id/, 'act_id'],
  [/receipt/, 'receipt_id'],
  [/skill/, 'skill_id'],
  [/rank|approval/, 'rank_id'],
  [/ladder|continues/, 'ladder_id'],
  [/style/, 'style_id'],
  [/holiday/, 'holiday_id'],
  [/grading/, 'grading_id'],
  [/certificate/, 'certificate_id'],
  [/promotion|stripe/, 'belt_change_id'],
]
const INBOX = 'incoming_id'
export const ID_KINDS = [INBOX, ...ID_OF_FIELD.map(([, kind]) => kind)] as const

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success
const isId = (schema: z.ZodType): boolean =>
  accepts(schema, newId()) && !accepts(schema, 'x'.repeat(newId().length))

export function idKind(name: string, { path }: Endpoint): (typeof ID_KINDS)[number] {
  if (path.includes('inbox')) return INBOX
  const place = path.split(`/:${name}`, 1)[0]!
  const kind =
    ID_OF_FIELD.find(([pattern]) => pattern.test(name)) ??
    ID_OF_FIELD.find(([pattern]) => pattern.test(place))
  if (!kind) throw new Error(`Say in server/test/valid-requests.ts whose id ${name} of ${path} is`)
  return kind[1]
}

/** Values that a schema takes, made of its own shape; what may be left out sometimes is. */
export function validValue(
  schema: z.ZodType,
  endpoint: Endpoint,
  ids: Ids,
  name = '',
): fc.Arbitrary<unknown> {
  const shape = unwrapSchema(schema)
  const part = (inner: unknown, innerName = name) =>
    validValue(inner as z.ZodType, endpoint, ids, innerName)
  if (shape instanceof z.ZodObject) {
    const fields = Object.entries(shape.shape as Record<string, z.ZodType>).map(
      ([field, fieldSchema]) =>
        [field, part(fieldSchema, field), accepts(fieldSchema, undefined)] as const,
    )
    const requiredKeys = fields.filter(([, , isOptional]) => !isOptional).map(([field]) => field)
    const form = fc.record(Object.fromEntries(fields.map(([field, value]) => [field, value])), {
      requiredKeys,
    })
    return form.map(repeatPassword).filter((example) => accepts(schema, example))
  }
  if (shape instanceof z.ZodUnion) return fc.oneof(...shape.options.map((option) => part(option)))
  if (shape instanceof z.ZodArray) {
    const minLength = shape.element instanceof z.ZodObject ? 1 : 0
    return fc
      .array(part(shape.element), { minLength, maxLength: 3 })
      .filter((list) => accepts(schema, list))
  }
  if (name === 'promised_on') return fc.constant(inAMonth())
  // Others may consist of letters that an email contains.
  if (name.includes('password') && accepts(shape, PASSWORD)) return fc.constant(PASSWORD)
  if (isId(schema)) return fc.constant(ids[idKind(name, endpoint)])
  const choices =
    shape instanceof z.ZodEnum
      ? shape.options
      : shape instanceof z.ZodLiteral
        ? [...shape.values]
        : []
  const common = [...choices, ...VALUES].filter((value) => accepts(schema, value))
  const acceptedValues =
    common.length > 0 ? common : RARE_VALUES.filter((value) => accepts(schema, value))
  if (acceptedValues.length === 0)
    throw new Error(
      `Add a value that ${name} of ${endpoint.path} takes to VALUES in ` +
        'server/test/valid-requests.ts',
    )
  return fc.constantFrom(...acceptedValues)
}

const repeatPassword = (form: Record<string, unknown>) =>
  'retype_password' in form ? { ...form, retype_password: form.password } : form

type Form = Record<string, unknown>
export type RequestParts = { params: Form; query: Form; body: Form }
const NO_FIELDS = fc.constant<Form>({})

export function validParts(endpoint: Endpoint, ids: Ids): fc.Arbitrary<RequestParts> {
  const part = (schema: z.ZodType | undefined) =>
    schema ? (validValue(schema, endpoint, ids) as fc.Arbitrary<Form>) : NO_FIELDS
  return fc.record({
    params: part(endpoint.params),
    query: part(endpoint.query),
    body: part(endpoint.body),
  })
}

/** A place for an id: a field, a list, or that field of the objects in `list`. */
export type IdField = {
  part: keyof RequestParts
  field: string
  isList: boolean
  list?: string
  isListInList?: boolean
}

export function idFields(endpoint: Endpoint): IdField[] {
  const allFields = (['params', 'query', 'body'] as const).flatMap((part) =>
    endpoint[part] ? idFieldsIn(endpoint[part], part) : [],
  )
  return [...new Map(allFields.map((place) => [`${place.part} ${place.field}`, place])).values()]
}

function idFieldsIn(schema: z.ZodType, part: IdField['part']): IdField[] {
  const shape = unwrapSchema(schema)
  if (shape instanceof z.ZodUnion)
    return shape.options.flatMap((option) => idFieldsIn(option as z.ZodType, part))
  if (!(shape instanceof z.ZodObject)) return []
  return Object.entries(shape.shape as Record<string, z.ZodType>).flatMap(
    ([field, fieldSchema]): IdField[] => {
      const innerSchema = unwrapSchema(fieldSchema)
      if (!(innerSchema instanceof z.ZodArray))
        return isId(fieldSchema) ? [{ part, field, isList: false }] : []
      const element = innerSchema.element as z.ZodType
      if (isId(element)) return [{ part, field, isList: true }]
      return idFieldsIn(element, part).map((idField) => ({
        ...idField,
        isList: true,
        list: field,
        isListInList: idField.isList,
      }))
    },
  )
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
export const asQuery = (query: Form): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, asText(value)]),
  )

export function injectOptionsOf(
  { method, path, body: takesBody }: Endpoint,
  { params, query, body }: RequestParts,
) {
  const url = `/api${path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(asText(params[name])))}`
  return { method, url, query: asQuery(query), ...(takesBody && { payload: body }) }
}

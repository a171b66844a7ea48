/** Generates random valid requests for every endpoint from its schemas. */
import { addDays, utcDay } from '@tatami/contract/lib/calendar-day'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import fc from 'fast-check'
import { z } from 'zod'
import { newId } from '../db/columns.ts'
import { unwrapSchema } from '../http/example-body.ts'
import { now } from '../lib/clock.ts'
import { PASSWORD } from './fixtures.ts'
import type { Ids } from './sample-ids.ts'
import { SAMPLE_PICTURE } from './sample-picture.ts'

/** A field gets one of the values that its schema accepts. If a new field accepts none of them, add
 *  a value for it. */
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

/** Promises and holds need a day in the future. The sample dojo has no promise for this day. */
const findFutureDay = () => addDays(utcDay(now()), 30)
/** A certificate must expire after it begins, which is on the only day in VALUES. */
const EXPIRY_DAY = '2016-03-01'
/** Hours of work must end after they start. */
const WORK_TIMES: Record<string, string> = { from: '09:00', until: '17:30' }
/** Used only if a field accepts none of the values above. */
const RARE_VALUES = [
  30,
  '2026-01',
  '18:30',
  '4711',
  'A1'.repeat(24),
  'a'.repeat(55),
  SAMPLE_PICTURE,
  '#1e3a8a',
  `AC${'a'.repeat(32)}`,
  'rk_test_1234567890',
  'https://example.com',
]

/** Says which id of the sample dojo a field gets. The first pattern that matches the field's name
 *  counts. If none matches, the first pattern that matches the path before the field counts. */
const ID_OF_FIELD: [pattern: RegExp, id: Exclude<keyof Ids, `${string}_email`>][] = [
  [/public-page\/photos/, 'page_photo_id'],
  [/trial-offer/, 'trial_offer_id'],
  [/trials/, 'booking_id'],
  [/version_id/, 'document_version_id'],
  [/signatures|my-documents$/, 'signature_id'],
  [/document_id|documents?\/?$/, 'document_id'],
  [/lead-sources/, 'lead_source_id'],
  [/lead|into_id/, 'lead_id'],
  [/followups\/steps/, 'followup_id'],
  [/staff-invitation/, 'staff_invitation_id'],
  [/staff-certificate/, 'staff_certificate_id'],
  [/certificate-kind|kind_id/, 'certificate_kind_id'],
  [/hours/, 'hours_id'],
  [/shift/, 'shift_id'],
  [/period/, 'pay_period_id'],
  [/pay\/rates/, 'pay_rate_id'],
  [/staff|person/, 'instructor_id'],
  [/online-payment/, 'online_payment_id'],
  [/online-refund/, 'online_refund_id'],
  [/import/, 'import_id'],
  [/promotions\/acts/, 'act_id'],
  [/plan_id|requested_plan|^plans?$/, 'plan_id'],
  [/subscription/, 'plan_subscription_id'],
  [/hold/, 'hold_id'],
  [/\/plans/, 'plan_id'],
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
const INBOX_ID = 'incoming_id'
export const ID_KINDS = [INBOX_ID, ...ID_OF_FIELD.map(([, kind]) => kind)] as const

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success
const isId = (schema: z.ZodType): boolean =>
  accepts(schema, newId()) && !accepts(schema, 'x'.repeat(newId().length))

export function idKind(name: string, { path }: Endpoint): (typeof ID_KINDS)[number] {
  if (path.includes('inbox')) return INBOX_ID
  const [pathBefore = ''] = path.split(`/:${name}`, 1)
  const patternWithKind =
    ID_OF_FIELD.find(([pattern]) => pattern.test(name)) ??
    ID_OF_FIELD.find(([pattern]) => pattern.test(pathBefore))
  if (!patternWithKind)
    throw new Error(`Add ${name} of ${path} to ID_OF_FIELD in server/test/valid-requests.ts`)
  const [, kind] = patternWithKind
  return kind
}

/** Generates values that a schema accepts. Optional fields are sometimes left out. */
export function validValue(
  schema: z.ZodType,
  endpoint: Endpoint,
  ids: Ids,
  name = '',
): fc.Arbitrary<unknown> {
  const shape = unwrapSchema(schema)
  const innerValue = (innerSchema: unknown, innerName = name) =>
    validValue(innerSchema as z.ZodType, endpoint, ids, innerName)
  if (shape instanceof z.ZodObject) {
    const fields = Object.entries(shape.shape)
    const requiredKeys = fields
      .filter(([, fieldSchema]) => !accepts(fieldSchema, undefined))
      .map(([field]) => field)
    const values = fields.map(([field, fieldSchema]) => [field, innerValue(fieldSchema, field)])
    return fc
      .record(Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys })
      .map(repeatPassword)
      .filter((form) => accepts(schema, form))
  }
  if (shape instanceof z.ZodUnion)
    return fc.oneof(...shape.options.map((option) => innerValue(option)))
  if (shape instanceof z.ZodArray) {
    const minLength = shape.element instanceof z.ZodObject ? 1 : 0
    return fc
      .array(innerValue(shape.element), { minLength, maxLength: 3 })
      .filter((list) => accepts(schema, list))
  }
  return simpleValue(schema, endpoint, ids, name)
}

function simpleValue(
  schema: z.ZodType,
  endpoint: Endpoint,
  ids: Ids,
  name: string,
): fc.Arbitrary<unknown> {
  const shape = unwrapSchema(schema)
  const isHoldStart = name === 'starts_on' && endpoint.path.includes('/holds')
  if (name === 'promised_on' || isHoldStart) return fc.constant(findFutureDay())
  // Two schools cannot have the same address.
  if (name === 'slug') return fc.constant(`school-${ids.dojo_id}`)
  if (name === 'expires_on') return fc.constant(EXPIRY_DAY)
  const workTime = WORK_TIMES[name]
  if (workTime !== undefined && accepts(schema, workTime)) return fc.constant(workTime)
  // A random password is refused if the email contains it.
  if (name.includes('password') && accepts(shape, PASSWORD)) return fc.constant(PASSWORD)
  if (isId(schema)) return fc.constant(ids[idKind(name, endpoint)])
  const commonValues = [...choicesOf(shape), ...VALUES].filter((value) => accepts(schema, value))
  if (commonValues.length > 0) return fc.constantFrom(...commonValues)
  const rareValues = RARE_VALUES.filter((value) => accepts(schema, value))
  if (rareValues.length > 0) return fc.constantFrom(...rareValues)
  throw new Error(
    `Add a value that ${name} of ${endpoint.path} accepts to VALUES in ` +
      'server/test/valid-requests.ts',
  )
}

function choicesOf(schema: unknown): unknown[] {
  if (schema instanceof z.ZodEnum) return schema.options
  return schema instanceof z.ZodLiteral ? [...schema.values] : []
}

const repeatPassword = (form: Record<string, unknown>) =>
  'retype_password' in form ? { ...form, retype_password: form.password } : form

type Form = Record<string, unknown>
export type RequestParts = { params: Form; query: Form; body: Form }
const NO_FIELDS = fc.constant<Form>({})

export function validRequestParts(endpoint: Endpoint, ids: Ids): fc.Arbitrary<RequestParts> {
  const validForm = (schema: z.ZodType | undefined) =>
    schema ? (validValue(schema, endpoint, ids) as fc.Arbitrary<Form>) : NO_FIELDS
  return fc.record({
    params: validForm(endpoint.params),
    query: validForm(endpoint.query),
    body: validForm(endpoint.body),
  })
}

/** The place of an id in a request: a field, a list of ids, or a field of each object in `list`.
 *  With `isListInList`, each object has a list of ids. */
export type IdField = {
  part: keyof RequestParts
  field: string
  isList: boolean
  list?: string
  isListInList?: boolean
}

/** Lists the places of ids in requests to the endpoint, each field once. */
export function idFields(endpoint: Endpoint): IdField[] {
  const allFields = (['params', 'query', 'body'] as const).flatMap((part) =>
    endpoint[part] ? idFieldsIn(endpoint[part], part) : [],
  )
  return [
    ...new Map(allFields.map((idField) => [`${idField.part} ${idField.field}`, idField])).values(),
  ]
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
export const queryParameters = (query: Form): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, asText(value)]),
  )

export function injectOptions(
  { method, path, body: bodySchema }: Endpoint,
  { params, query, body }: RequestParts,
) {
  const filledPath = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(asText(params[name])),
  )
  const url = `/api${filledPath}`
  return { method, url, query: queryParameters(query), ...(bodySchema && { payload: body }) }
}

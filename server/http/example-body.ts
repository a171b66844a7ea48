import { DEFAULT_PLAN_RULES } from '@tatami/contract/plans/plans'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { z } from 'zod'

const EXAMPLE_ID = '0199f0a2-6c1e-7a3b-9d54-2f8e1c7b5a90'
const OTHER_ID = '0199f0a2-6c1e-7a3b-9d54-2f8e1c7b5a91'

/** Bodies whose fields depend on each other. Other examples are generated from the schema. */
const SPECIAL_BODIES: Record<string, unknown> = {
  'POST /sensei/register': {
    first_name: 'Aiko',
    last_name: 'Tanaka',
    email: 'aiko@example.com',
    password: 'Kiai2026!',
    retype_password: 'Kiai2026!',
    contact_area_code: '512',
    contact_number: '5550142',
    city: 'Austin',
    state: 'Texas',
    dojo_name: 'Cedar Park Judo',
  },
  'POST /kiosk/check-ins': { id: EXAMPLE_ID, class_id: EXAMPLE_ID, pin: '4711' },
  'POST /families/suggestions/dismiss': { student_ids: [EXAMPLE_ID, OTHER_ID] },
  'PUT /online-payment/account': { secret_key: 'rk_live_1234567890' },
  'PUT /plan-rules': DEFAULT_PLAN_RULES,
  'PUT /staff-certificates/:id': { got_on: '2026-03-01', expires_on: '2027-03-01' },
  'PUT /staff-shifts/:id': { day: '2026-03-02', from: '16:30', until: '19:00', task: 'Class' },
  'PUT /sms/account': {
    account_sid: `AC${'0'.repeat(32)}`,
    auth_token: '0'.repeat(32),
    sender: '+15125550142',
  },
  'PUT /sibling-prices': { ordered_by: 'highest_fee', prices: [{ nth: 2, percent: 10 }] },
}

/** Example values by field name. The first value that the field's schema accepts is used. */
const VALUES_BY_NAME: [name: RegExp, ...values: unknown[]][] = [
  [/password/, 'Kiai2026!'],
  [/email/, 'ken@example.com'],
  [/phone|contact_number|^number$/, '(512) 555-0142', '+15125550142'],
  [/class_name/, 'Little Dragons'],
  [/dojo_name/, 'Cedar Park Judo'],
  [/name|signature|examiner|holder/, 'Ken Adams'],
  [/time_zone/, 'America/Chicago'],
  [/end_time/, '6:00 PM', '18:00'],
  [/time|held_at/, '5:00 PM', '17:00'],
  [/birth/, '2015-03-01'],
  [/^age$/, 35],
  [/last_day|until|^to$|to_day/, '2026-12-08'],
  [/amount|fee|price|cash|counted/, 85],
  [/month/, 11, '2026-12'],
  [/year/, 2026],
  [/title/, 'Class on Saturday'],
  [/category/, 'general'],
  [/city/, 'Austin'],
  [/place/, 'Main hall'],
  [/allergies/, 'Peanuts'],
  [/belt_size/, '4'],
  [/headings/, 'Name'],
  [/rows/, 'Ken Adams'],
  [/template/, 'judo-seniors'],
  [/message|content|text|wording/, 'Hi {name}, please bring water on Saturday.'],
  [/note|reason|description/, 'Brings a friend on Saturday'],
  [/pin/, '4711'],
  [/code/, '123456'],
  [/picture/, `iVBORw0KGgoAAAANSUhEUgAAABAAAAAQ${'A'.repeat(64)}`],
  [/color/, '#1e3a8a'],
]
const FALLBACK_VALUES = [
  true,
  '2026-12-01',
  '2026-12-01T00:00:00.000Z',
  1,
  10,
  'Judo',
  'en',
  'https://push.example.com/browser',
  // Strings of a fixed length, such as the keys of a push subscription.
  'A'.repeat(22),
  'A'.repeat(48),
  'B'.repeat(87),
  null,
]

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

const isId = (schema: z.ZodType): boolean =>
  accepts(schema, EXAMPLE_ID) && !accepts(schema, 'x'.repeat(EXAMPLE_ID.length))

/** Removes wrappers such as `optional()`, which do not change the type of the value. */
export function unwrapSchema(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unwrapSchema(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodPipe)
    return unwrapSchema(
      (schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in) as z.ZodType,
    )
  return schema
}

/** If some fields exclude each other, leaves out one optional field, or else all of them. */
function createExampleObject(schema: z.ZodType, shape: Record<string, z.ZodType>): unknown {
  const values = Object.entries(shape)
    .map(([name, field]) => [name, createExampleValue(field, name)] as const)
    .filter(([, value]) => value !== undefined)
  const optionalFields = values
    .map(([name]) => name)
    .filter((name) => accepts(shape[name] ?? z.never(), undefined))
  const bodyWithout = (names: string[]) =>
    Object.fromEntries(values.filter(([name]) => !names.includes(name)))
  const candidates = [[], ...optionalFields.map((name) => [name])].map(bodyWithout)
  return candidates.find((body) => accepts(schema, body)) ?? bodyWithout(optionalFields)
}

function createExampleValue(schema: z.ZodType, name: string): unknown {
  const baseSchema = unwrapSchema(schema)
  if (baseSchema instanceof z.ZodObject) return createExampleObject(schema, baseSchema.shape)
  if (baseSchema instanceof z.ZodUnion)
    return createExampleValue(baseSchema.options[0] as z.ZodType, name)
  if (baseSchema instanceof z.ZodArray)
    return [createExampleValue(baseSchema.element as z.ZodType, name)]
  if (baseSchema instanceof z.ZodEnum) return baseSchema.options[0]
  if (baseSchema instanceof z.ZodLiteral) return baseSchema.values.values().next().value
  if (isId(schema)) return EXAMPLE_ID
  const matchingRows = VALUES_BY_NAME.filter(([pattern]) => pattern.test(name))
  const preferredValues = matchingRows.flatMap(([, ...values]) => values)
  return [...preferredValues, ...FALLBACK_VALUES].find((value) => accepts(schema, value))
}

export const createExampleBody = ({ method, path, body }: Endpoint): unknown =>
  SPECIAL_BODIES[`${method} ${path}`] ?? (body && createExampleValue(body, ''))

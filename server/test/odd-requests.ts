import type { Endpoint } from '@tatami/contract/endpoint'
import fc from 'fast-check'
import { z } from 'zod'
import { aClass, aSensei, aStudent, PASSWORD } from './house.ts'

/** Ids and an e-mail that somebody has, so that not everything odd fails at the first look. */
export type Known = { ids: string[]; email: string }

const NESTED = Array.from({ length: 500 }).reduce<unknown>((inside) => ({ a: [inside] }), 'deep')
const LONE = '\ud83d', NUL = 'a\u0000b'
const ODD_TEXTS = ['', ' ', NUL, LONE, `${LONE}x`, 'x'.repeat(5000), "'; drop table students; --", '"', '\\', '%', '_', '${7*7}', '<script>', '\u202eabc', '\uffff', 'ﷺ'.repeat(200), '🥋', '__proto__', 'constructor', 'null', 'true', '0', '-1', '1e999', 'NaN', '2026-02-30', '9999-99-99', '0000-00-00', '12026-01-01', '2026-01-01T25:00:00Z', '+010000-01-01T00:00:00Z', '2026-01-01T00:00:00+99:99']
const ODD_VALUES: unknown[] = [...ODD_TEXTS, null, true, false, 0, -0, -1, 0.1, 1.005, 1e21, 1e308, Number.MAX_SAFE_INTEGER, 2 ** 31, [], [null], [[]], {}, { id: 1 }, { $ne: null }, { toString: 1 }, { length: 1e9 }, NESTED, Array.from({ length: 200 }, () => 'saturday')]

const anyValue = (known: Known): fc.Arbitrary<unknown> => fc.oneof(
  fc.constantFrom(...ODD_VALUES), fc.constantFrom(...known.ids, known.email), fc.constantFrom(...known.ids).map((id) => id.toUpperCase()),
  fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: 'binary', maxLength: 50 }), fc.array(fc.constantFrom(...known.ids), { maxLength: 4 }),
)

/** What the form would be if nothing were odd about it. */
function filled({ method, path }: Endpoint, { ids: [class_id = '', student_id = ''] }: Known): Record<string, unknown> {
  const forms: Record<string, object> = {
    'POST /classes': aClass(), 'PUT /classes/:id': aClass(), 'POST /students': aStudent({ enrolled_classes: [class_id] }), 'PUT /students/:id': aStudent({ enrolled_classes: [class_id] }),
    'POST /sensei/register': aSensei(), 'POST /login': { email: 'nobody@dojo.com', password: PASSWORD },
    'POST /attendance': { student_id, class_id, class_date: '2026-01-02T00:00:00.000Z', present: true },
    'PUT /profile': { email: 'sensei@dojo.com', dojo_name: 'Judo', phone_number: '512 555 0100', city: 'Austin', state: 'Texas' },
    'PUT /profile/password': { current_password: PASSWORD, new_password: PASSWORD }, 'PUT /super-admin/sensei/:id/reset-password': { new_password: PASSWORD },
    'PUT /super-admin/daily-message-limit': { daily_limit: 300 }, 'PUT /notification-settings': { sound_enabled: false }, 'POST /reset-monthly-payments': { payment_month: 0, payment_year: 2026 },
    'POST /payment-records': { student_id, monthly_payment_amount: 85.5, payment_month: 0, payment_year: 2026, payment_status: 'paid' },
    'POST /consent-form': { sensei_name: 'Aiko Tanaka', phone_number: '512 555 0100', email: 'ken@home.org', signature: 'Ken Adams', date: '2026-01-02' },
    'POST /notifications/send': { title: 'Hello', message: 'Bring water.' },
    'POST /register': { name: 'Mia', email: 'mia@home.org', password: PASSWORD, invite_code: 'none' },
  }
  return { ...forms[`${method} ${path}`] }
}
const fieldsOf = (schema: z.ZodType | undefined) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : [])

const JSON_TYPE = 'application/json'
/** JSON as JSON.stringify never writes it: numbers without end, keys that reach for the prototype. */
const odder = (body: unknown) => fc.oneof({ weight: 5, arbitrary: fc.constant((text: string) => text) }, { weight: 1, arbitrary: fc.constantFrom<(text: string) => string>(
  (text) => text.replace(/:(\d+)/, ':1e999'), (text) => text.replace('{', '{"__proto__":{"role":"super-admin"},'),
  (text) => text.replace('{', '{"constructor":{"prototype":{"x":1}},'), (text) => `\ufeff${text}`, (text) => text.slice(0, -1), (text) => `${text}${text}`, (text) => `${' '.repeat(1000)}${text}`,
) }).map((change) => ({ payload: change(JSON.stringify(body)) as string | undefined, type: JSON_TYPE }))

/** A good form, one or two of its fields gone odd, and fields nobody knows. */
export const aBody = (endpoint: Endpoint, known: Known) => {
  const fields = fieldsOf(endpoint.body)
  const changes = fields.length > 0 ? fc.array(fc.tuple(fc.constantFrom(...fields), anyValue(known)), { maxLength: 2 }) : fc.constant([])
  return fc.tuple(changes, fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }))
    .chain(([odd, more]) => odder({ ...more, ...filled(endpoint, known), ...Object.fromEntries(odd) }))
}

export const aRawBody: fc.Arbitrary<{ payload: string | Buffer | undefined; type: string }> = fc.oneof(
  fc.tuple(fc.constantFrom('', ' ', 'null', '1', '"x"', '[]', '[[[', '{', '{}', 'undefined', 'NaN', '\u0000', '[1,]', '{"a":1,}', JSON.stringify(NESTED), `${'['.repeat(50_000)}${']'.repeat(50_000)}`, `"${'x'.repeat(300 * 1024)}"`, '"\\ud800"', '{"\\u0000":1}'),
    fc.constantFrom(JSON_TYPE, JSON_TYPE, `${JSON_TYPE}; charset=utf-16`, 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml', '', 'x', `${'a'.repeat(500)}/b`))
    .map(([payload, type]) => ({ payload, type })),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ payload: Buffer.from(bytes), type: JSON_TYPE })),
  fc.constant({ payload: undefined, type: JSON_TYPE }),
)

export const aHeader: fc.Arbitrary<Record<string, string>> = fc.oneof({ weight: 6, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.constantFrom<Record<string, string>>(
  { 'content-encoding': 'gzip' }, { 'accept': 'text/html' }, { 'accept-encoding': 'x' }, { 'if-none-match': '*' }, { 'if-none-match': '"' }, { 'x-forwarded-for': '::1, nobody' }, { 'x-http-method-override': 'DELETE' },
  { origin: 'null' }, { range: 'bytes=0-0' }, { host: '' }, { host: 'a b' }, { cookie: 'x'.repeat(5000) }, { 'x-request-id': 'mine' }, { upgrade: 'websocket', connection: 'upgrade' },
) })

/** A segment of a path: mostly an id, somebody's or nobody's. */
export const aParam = ({ ids }: Known): fc.Arbitrary<string> => fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ids.slice(0, 2)) }, { weight: 3, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: fc.constantFrom(...ids).map((id) => id.toUpperCase()) },
  { weight: 2, arbitrary: fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: 'binary', maxLength: 30 })).map((text) => encodeURIComponent(text.toWellFormed())) },
  { weight: 1, arbitrary: fc.constantFrom('%', '%zz', '%ff', '%00', '..', '.', '%2e%2e', 'a%2fb', '*', ':id') },
)

/** Fields that the endpoint knows and ones that it does not, good, odd, twice. */
export const aQuery = (endpoint: Endpoint, known: Known): fc.Arbitrary<string> => {
  const field = fc.constantFrom(...fieldsOf(endpoint.query), 'limit', 'x', '__proto__', 'constructor', 'a[b]', '')
  const value = fc.oneof(fc.constantFrom(...ODD_TEXTS, ...known.ids, '5', '1', '2026', '2026-01-01'), fc.string({ maxLength: 20 }))
  const pair = fc.tuple(field, value).map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text.toWellFormed())}`)
  return fc.oneof({ weight: 2, arbitrary: fc.constant('') }, { weight: 3, arbitrary: fc.array(pair, { maxLength: 3 }).map((pairs) => `?${pairs.join('&')}`) }, { weight: 1, arbitrary: fc.constantFrom('?', '?%', '?&&', '?=', '?%ff=%ff', '??', '?limit=1&limit=2', '?limit[]=1') })
}

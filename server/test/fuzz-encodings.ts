/** Random query strings, headers and bodies, some of them malformed. */
import fc from 'fast-check'
import { NESTED_VALUE, FUZZ_TEXTS } from './fuzz-values.ts'

const RAW_QUERIES = [
  '',
  '%',
  '&&',
  '=',
  '%ff=%ff',
  '?',
  'limit=1&limit=2',
  'limit[]=1',
  'before=%00',
  'a.b=1',
  '__proto__[x]=1',
  'constructor=1',
  `x=${'a'.repeat(8000)}`,
  Array.from({ length: 2000 }, () => 'a=1').join('&'),
]

/** Generates query strings with existing and unknown fields, and with strange or repeated
 *  values. */
export const fuzzQuery = (fields: string[], knownIds: string[]): fc.Arbitrary<string> => {
  const field = fc.constantFrom(...fields, 'limit', 'x', '__proto__', 'constructor', 'a[b]', '')
  const value = fc.oneof(
    fc.constantFrom(...FUZZ_TEXTS, ...knownIds, '5', '1', '2026', '2026-01-01'),
    fc.string({ maxLength: 20 }),
  )
  const pair = fc
    .tuple(field, value)
    .map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text.toWellFormed())}`)
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc.array(pair, { minLength: 1, maxLength: 3 }).map((pairs) => pairs.join('&')),
    },
    { weight: 1, arbitrary: fc.constantFrom(...RAW_QUERIES) },
  )
}

/** Generates unusual or malformed headers. */
export const fuzzHeader: fc.Arbitrary<Record<string, string>> = fc.oneof(
  fc.constantFrom<Record<string, string>>(
    { 'content-encoding': 'gzip' },
    { 'content-encoding': 'br' },
    { accept: 'text/html' },
    { 'accept-encoding': 'x' },
    { 'x-forwarded-for': '::1, nobody' },
    { 'x-http-method-override': 'DELETE' },
    { origin: 'null' },
    { range: 'bytes=0-0' },
    { host: '' },
    { host: 'a b' },
    { cookie: 'x'.repeat(5000) },
    { 'x-request-id': 'mine' },
    { upgrade: 'websocket', connection: 'upgrade' },
    { expect: '100-continue' },
    { te: 'trailers' },
    { 'content-length': '3' },
    { 'content-length': '999999999' },
    { 'content-length': '-1' },
    { 'content-length': 'x' },
    { 'transfer-encoding': 'chunked' },
    { authorization: 'Bearer' },
    { authorization: `Bearer ${'é'.repeat(9000)}` },
  ),
  fc
    .tuple(
      fc.constantFrom(
        'idempotency-key',
        'if-none-match',
        'authorization',
        'content-type',
        'accept-language',
      ),
      fc.oneof(
        fc.constantFrom('*', '"', 'W/"x"', 'k'.repeat(10_000), 'ключ', 'a b', ''),
        fc.string({ unit: 'binary', maxLength: 20 }),
      ),
    )
    .map(([name, value]) => ({ [name]: value })),
)

export const JSON_CONTENT_TYPE = 'application/json'
/** Generates bodies that are not a JSON object or have the wrong content type. */
export const fuzzPayload: fc.Arbitrary<{ payload: string | Buffer; type: string }> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        '',
        ' ',
        'null',
        '1',
        '"x"',
        '[]',
        '[[[',
        '{',
        '{}',
        'undefined',
        'NaN',
        '\u0000',
        '[1,]',
        '{"a":1,}',
        JSON.stringify(NESTED_VALUE),
        `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
        '{"a":'.repeat(20_000),
        `"${'x'.repeat(300 * 1024)}"`,
        '"\\ud800"',
        '{"\\u0000":1}',
      ),
      fc.constantFrom(
        JSON_CONTENT_TYPE,
        JSON_CONTENT_TYPE,
        `${JSON_CONTENT_TYPE}; charset=utf-16`,
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/xml',
        '',
        'x',
        `${'a'.repeat(500)}/b`,
        'application/json, text/plain',
      ),
    )
    .map(([payload, type]) => ({ payload, type })),
  fc
    .uint8Array({ maxLength: 200 })
    .map((bytes) => ({ payload: Buffer.from(bytes), type: JSON_CONTENT_TYPE })),
)

/** Changes a body to JSON that JSON.stringify never writes, such as with infinite numbers, repeated
 *  keys or prototype keys. */
export const fuzzJson: fc.Arbitrary<(text: string) => string> = fc.constantFrom<
  (text: string) => string
>(
  (text) => text.replace(/:(\d+)/, ':1e999'),
  (text) => text.replace('{', '{"__proto__":{"role":"super-admin"},'),
  (text) => text.replace('{', '{"constructor":{"prototype":{"x":1}},'),
  (text) => text.replace(/"(\w+)":/, '"$1":0,"$1":'),
  (text) => `\ufeff${text}`,
  (text) => text.slice(0, -1),
  (text) => `${text}${text}`,
  (text) => `${' '.repeat(1000)}${text}`,
  (text) =>
    text.replace(
      /"(\w)/g,
      (_, letter: string) => `"\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
)

/** Generates strange values for fields and path parameters. */
import fc from 'fast-check'

export const NESTED_VALUE = Array.from({ length: 500 }).reduce<unknown>(
  (innerValue) => ({ a: [innerValue] }),
  'deep',
)
const LONE_SURROGATE = '\ud83d'

export const FUZZ_TEXTS = [
  '',
  ' ',
  '\n',
  'a\u0000b',
  LONE_SURROGATE,
  `${LONE_SURROGATE}x`,
  'x'.repeat(5000),
  "'; drop table students; --",
  '"',
  '\\',
  '%',
  '_',
  '${7*7}',
  '{name}',
  '<script>',
  '\u202eabc',
  'אבג',
  '\uffff',
  '\ufeff',
  'ﷺ'.repeat(200),
  '🥋',
  '👩‍👩‍👧‍👦'.repeat(50),
  'e\u0301'.repeat(60),
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'true',
  '0',
  '-1',
  '1e999',
  'NaN',
  'Infinity',
  '0x10',
  '٣',
  ' 5 ',
  '1,000',
  '5e-324',
  '9007199254740993',
  '2026-02-30',
  '2026-13-01',
  '9999-99-99',
  '0000-00-00',
  '0000-01-01',
  '-000001-01-01',
  '12026-01-01',
  '+275760-09-13T00:00:00Z',
  '+275760-09-14T00:00:00Z',
  '2026-01-01T25:00:00Z',
  '2026-01-01T00:00:60Z',
  '+010000-01-01T00:00:00Z',
  '2026-01-01T00:00:00+99:99',
  '2026-01-01T00:00:00.123456789+14:00',
  '1899-12-31',
  '2199-12-31T23:59:59-12:00',
  '2200-01-01',
]

const FUZZ_VALUES: unknown[] = [
  ...FUZZ_TEXTS,
  null,
  true,
  false,
  0,
  -0,
  -1,
  0.1,
  1.005,
  1e21,
  1e308,
  5e-324,
  Number.MAX_SAFE_INTEGER,
  2 ** 31,
  2 ** 53,
  [],
  [null],
  [[]],
  {},
  { id: 1 },
  { $ne: null },
  { toString: 1 },
  { length: 1e9 },
  NESTED_VALUE,
  Array.from({ length: 200 }, () => 'saturday'),
]
const HUGE_VALUES: unknown[] = [
  'x'.repeat(1_000_000),
  'a@'.repeat(100_000),
  `${'a'.repeat(200_000)}@b.com`,
  ' '.repeat(200_000),
  '1'.repeat(200_000),
  Array.from({ length: 10_000 }, () => 'saturday'),
  Array.from({ length: 10_000 }, () => 0),
]

/** Generates a change that inserts a strange character into a text. */
export const corruptCharacter: fc.Arbitrary<(value: unknown) => unknown> = fc
  .tuple(
    fc.constantFrom(
      '\u0000',
      '\u001f',
      '\u007f',
      LONE_SURROGATE,
      '\u2028',
      '\uffff',
      ' ',
      '\\',
      '%',
    ),
    fc.nat(100),
  )
  .map(([character, percent]) => (value) => {
    if (typeof value !== 'string') return value
    const index = Math.round((value.length * percent) / 100)
    return value.slice(0, index) + character + value.slice(index)
  })

/** Generates JSON values of every kind, and ids and emails that exist. */
export const fuzzValue = (knownIds: string[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...FUZZ_VALUES) },
    { weight: 5, arbitrary: fc.constantFrom(...knownIds) },
    { weight: 2, arbitrary: fc.constantFrom(...knownIds).map((id) => id.toUpperCase()) },
    { weight: 5, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
    { weight: 5, arbitrary: fc.string({ unit: 'binary', maxLength: 50 }) },
    { weight: 3, arbitrary: fc.array(fc.constantFrom(...knownIds), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.constantFrom(...HUGE_VALUES) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...knownIds).map((id) => Array.from({ length: 5000 }, () => id)),
    },
  )

const DOT_SEGMENTS = ['.', '..']

/** Generates values for a parameter in the path. */
export const fuzzSegment = (knownIds: string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...knownIds) },
    { weight: 1, arbitrary: fc.constantFrom(...knownIds).map((id) => id.toUpperCase()) },
    {
      weight: 3,
      arbitrary: fc
        .oneof(fc.constantFrom(...FUZZ_TEXTS), fc.string({ unit: 'binary', maxLength: 30 }))
        .map((text) => encodeURIComponent(text.toWellFormed()))
        // A dot segment would change which path the URL has.
        .filter((segment) => !DOT_SEGMENTS.includes(segment)),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        '%',
        '%zz',
        '%ff',
        '%00',
        '%ED%A0%80',
        'a%2fb',
        '*',
        ':id',
        'x'.repeat(300),
      ),
    },
  )

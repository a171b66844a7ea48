import { expect, test } from 'vitest'
import { findCircularImports, violationsIn } from './check-layers.ts'

test('allows imports of the platform, the contract, lower tiers and a module’s main file', () => {
  const source = [
    '../http/serve.ts',
    '@tatami/contract/students/students',
    '../audit/audit.ts',
  ].map((specifier) => `import { it } from '${specifier}'`)
  expect(violationsIn('server/accounts/routes.ts', source.join('\n'))).toEqual([])
  expect(
    violationsIn('server/students/routes.ts', "import { it } from '../classes/times.ts'"),
  ).toEqual([])
})

test('allows every file to import tables, and tables to import only tables', () => {
  const importLine = "import { students } from '../students/tables.ts'"
  expect(violationsIn('server/classes/tables.ts', importLine)).toEqual([])
  expect(violationsIn('server/classes/classes.ts', importLine)).toEqual([])
  expect(
    violationsIn('server/students/tables.ts', "import { addClass } from '../classes/classes.ts'"),
  ).toHaveLength(1)
})

test.each([
  ['a module of a higher tier', 'server/classes/classes.ts', '../students/students.ts'],
  [
    'an inner file of a module of the same tier',
    'server/texting/phones.ts',
    '../guardians/readers.ts',
  ],
  ['a higher tier of the contract', 'contract/classes/classes.ts', '../students/students.ts'],
  ['a module in the platform', 'server/http/serve.ts', '../classes/routes.ts'],
  ['the app in a module', 'server/classes/routes.ts', '../app.ts'],
  ['a test helper in other code', 'server/classes/routes.ts', '../test/server.ts'],
  ['the other workspace', 'web/classes/class-center.tsx', '../../server/classes/classes.ts'],
])('refuses imports of %s', (_, file, specifier) => {
  expect(violationsIn(file, `import { it } from '${specifier}'`)).toEqual([
    `${file} may not import ${specifier}`,
  ])
  expect(violationsIn(file, `import type { It } from '${specifier}'`)).toHaveLength(1)
  expect(violationsIn(file, `const it = await import('${specifier}')`)).toEqual([
    `${file} may not import ${specifier}`,
  ])
})

test('refuses circular imports between the modules of a tier', () => {
  const oneWayImport = new Map([['server/accounts/a.ts', "import { it } from '../audit/audit.ts'"]])
  expect(findCircularImports(oneWayImport)).toEqual([])
  const circularImports = new Map([
    ...oneWayImport,
    ['server/audit/audit.ts', "import type { It } from '../accounts/accounts.ts'"],
  ])
  expect(findCircularImports(circularImports)).toEqual([
    'server/accounts imports itself through server/audit',
    'server/audit imports itself through server/accounts',
  ])
})

test('reports a folder that is not a module', () => {
  expect(violationsIn('server/misc/mail.ts', '')).toEqual([
    'server/misc/mail.ts: server/misc is not a module of any tier',
  ])
})

test('allows a call such as fetch only in its adapter, or in a comment', () => {
  expect(violationsIn('web/lib/api.ts', 'await fetch(url)')).toEqual([])
  expect(violationsIn('web/classes/class-center.tsx', 'await fetch(url)')).toEqual([
    'web/classes/class-center.tsx may not use fetch: its adapter is web/lib/api.ts, ' +
      'web/lib/file-api.ts, web/documents/sign/requests.ts',
  ])
  expect(violationsIn('web/classes/class-center.tsx', '// what fetch() would do')).toEqual([])
  expect(violationsIn('contract/classes/classes.ts', "import { eq } from 'drizzle-orm'")).toEqual([
    'contract/classes/classes.ts may not use anything but zod',
  ])
})

test('allows types of fastify everywhere, but not its values', () => {
  expect(
    violationsIn('server/http/identify.ts', "import type { FastifyRequest } from 'fastify'"),
  ).toEqual([])
  expect(violationsIn('server/http/identify.ts', "import { fastify } from 'fastify'")).toHaveLength(
    1,
  )
})

test('allows tests to import everything and to use the clock', () => {
  expect(
    violationsIn(
      'server/classes/classes.test.ts',
      "import { startTestServer } from '../test/server.ts'\nnew Date()",
    ),
  ).toEqual([])
})

test.each([
  ['server/kiosk/today.ts', 'new Date(Date.UTC(year, month, 0)).getUTCDate()', 'days'],
  ['web/gradings/grading-text.ts', 'new Date(at).toISOString().slice(0, 10)', 'days'],
  ['contract/dues/prices.ts', 'Math.round((fee ?? 0) * 100)', 'money'],
  ['server/dues/owing.ts', '{ owed: sumOf(lines) / 100, total: owed / 100 }', 'money'],
])('in %s, refuses the arithmetic %s, but allows a percentage', (file, source, subject) => {
  const adapter = { days: 'contract/lib/calendar-day.ts', money: 'contract/lib/money.ts' }[subject]
  expect(violationsIn(file, source)).toEqual([
    `${file} may not use arithmetic on ${subject}: its adapter is ${adapter}`,
  ])
  expect(violationsIn(file, 'const percent = Math.round(share * 100)')).toEqual([])
})

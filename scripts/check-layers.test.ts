import { expect, test } from 'vitest'
import { violationsIn } from './check-layers.ts'

test('a module may import infrastructure, the contract and the modules before it', () => {
  const source = ['../http/serve.ts', '@tatami/contract/students', '../classes/classes.ts'].map(
    (spec) => `import { it } from '${spec}'`,
  )
  expect(violationsIn('server/students/routes.ts', source.join('\n'))).toEqual([])
})

test("tables may refer to any module's tables, and to nothing else of a module", () => {
  expect(
    violationsIn('server/classes/tables.ts', "import { students } from '../students/tables.ts'"),
  ).toEqual([])
  expect(
    violationsIn('server/students/tables.ts', "import { addClass } from '../classes/classes.ts'"),
  ).toHaveLength(1)
})

test.each([
  ['a module after it', 'server/classes/classes.ts', '../students/students.ts'],
  ["a later module's contract", 'server/classes/classes.ts', '@tatami/contract/students'],
  ['a module from infrastructure', 'server/http/serve.ts', '../classes/routes.ts'],
  ['the app from a module', 'server/classes/routes.ts', '../app.ts'],
  ['what only tests use', 'server/classes/routes.ts', '../test/server.ts'],
  ['the other workspace', 'web/classes/class-center.tsx', '../../server/classes/classes.ts'],
  ['a module from the infrastructure of the contract', 'contract/fields.ts', './students.ts'],
])('nothing may import %s', (_, file, spec) => {
  expect(violationsIn(file, `import { it } from '${spec}'`)).toEqual([
    `${file} may not import ${spec}`,
  ])
  expect(violationsIn(file, `const it = await import('${spec}')`)).toEqual([
    `${file} may not import ${spec}`,
  ])
})

test('reports a folder that is no module', () => {
  expect(violationsIn('server/misc/mail.ts', '')).toEqual([
    'server/misc/mail.ts: server/misc is neither infrastructure nor a module',
  ])
})

test('lets only its adapter use an external thing, and anyone mention it in a comment', () => {
  expect(violationsIn('web/lib/api.ts', 'await fetch(url)')).toEqual([])
  expect(violationsIn('web/classes/class-center.tsx', 'await fetch(url)')).toEqual([
    'web/classes/class-center.tsx may not use fetch: its adapter is web/lib/api.ts, web/lib/file-api.ts',
  ])
  expect(violationsIn('web/classes/class-center.tsx', '// what fetch() would do')).toEqual([])
  expect(violationsIn('contract/classes.ts', "import { eq } from 'drizzle-orm'")).toEqual([
    'contract/classes.ts may not use anything but zod',
  ])
})

test('types of fastify may go anywhere, its values may not', () => {
  expect(
    violationsIn('server/http/identify.ts', "import type { FastifyRequest } from 'fastify'"),
  ).toEqual([])
  expect(violationsIn('server/http/identify.ts', "import { fastify } from 'fastify'")).toHaveLength(
    1,
  )
})

test('a test may import and touch what it needs', () => {
  expect(
    violationsIn(
      'server/classes/classes.test.ts',
      "import { startTestServer } from '../test/server.ts'\nnew Date()",
    ),
  ).toEqual([])
})

test.each([
  ['server/kiosk/today.ts', 'new Date(Date.UTC(year, month, 0)).getUTCDate()', 'days'],
  ['web/gradings/words.ts', 'new Date(at).toISOString().slice(0, 10)', 'days'],
  ['contract/prices.ts', 'Math.round((fee ?? 0) * 100)', 'money'],
  ['server/payments/owing.ts', '{ owed: sumOf(lines) / 100, total: owed / 100 }', 'money'],
])('%s may not compute %s', (file, source, thing) => {
  const home = { days: 'contract/calendar-day.ts', money: 'contract/money.ts' }[thing]
  expect(violationsIn(file, source)).toEqual([
    `${file} may not use arithmetic on ${thing}: its adapter is ${home}`,
  ])
  expect(violationsIn(file, 'const percent = Math.round(share * 100)')).toEqual([])
})

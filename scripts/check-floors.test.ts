import { expect, test } from 'vitest'
import { complaintsAbout } from './check-floors.ts'

test('a noun may import the kernel, the contract and the nouns before it', () => {
  const source = ['../kernel/serve.ts', '@tatami/contract/students', '../classes/classes.ts'].map((spec) => `import { it } from '${spec}'`)
  expect(complaintsAbout('server/students/routes.ts', source.join('\n'))).toEqual([])
})

test.each([
  ['a noun after it', 'server/classes/classes.ts', '../students/students.ts'],
  ["a later noun's contract", 'server/classes/classes.ts', '@tatami/contract/students'],
  ['a noun from the kernel', 'server/kernel/serve.ts', '../classes/routes.ts'],
  ['the app from a noun', 'server/classes/routes.ts', '../app.ts'],
  ['what only tests use', 'server/classes/routes.ts', '../test/house.ts'],
  ['the other room', 'web/classes/class-center.tsx', '../../server/classes/classes.ts'],
  ['a noun from the ground of the contract', 'contract/fields.ts', './students.ts'],
])('nothing may import %s', (_, file, spec) => {
  expect(complaintsAbout(file, `import { it } from '${spec}'`)).toEqual([`${file} may not import ${spec}`])
  expect(complaintsAbout(file, `const it = await import('${spec}')`)).toEqual([`${file} may not import ${spec}`])
})

test('a folder that is no noun is pointed out', () => {
  expect(complaintsAbout('server/misc/mail.ts', '')).toEqual([
    'server/misc/mail.ts: server/misc is neither the kernel nor a noun of the house',
  ])
})

test('an outside thing is touched by its keeper only, and in words by anyone', () => {
  expect(complaintsAbout('web/kernel/api.ts', 'await fetch(url)')).toEqual([])
  expect(complaintsAbout('web/classes/class-card.tsx', 'await fetch(url)')).toEqual([
    'web/classes/class-card.tsx may not touch fetch: that is for web/kernel/api.ts',
  ])
  expect(complaintsAbout('web/classes/class-card.tsx', '// what fetch() would do')).toEqual([])
  expect(complaintsAbout('contract/classes.ts', "import { eq } from 'drizzle-orm'")).toEqual([
    'contract/classes.ts may not touch anything but zod',
  ])
})

test('types of fastify may go anywhere, its values may not', () => {
  expect(complaintsAbout('server/kernel/identify.ts', "import type { FastifyRequest } from 'fastify'")).toEqual([])
  expect(complaintsAbout('server/kernel/identify.ts', "import { fastify } from 'fastify'")).toHaveLength(1)
})

test('a test may import and touch what it needs', () => {
  expect(complaintsAbout('server/classes/classes.test.ts', "import { testHouse } from '../test/house.ts'\nnew Date()")).toEqual([])
})

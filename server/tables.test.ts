import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { TABLES } from './tables.ts'

test('every table of a tables.ts has its rules in TABLES', async () => {
  const paths = globSync('*/{,*/}tables.ts', { cwd: import.meta.dirname })
  const modules = await Promise.all(
    paths.map((path) => import(`./${path}`) as Promise<Record<string, unknown>>),
  )
  const tableNames = modules.flatMap((module) =>
    Object.values(module).flatMap((value) => (is(value, PgTable) ? [getTableName(value)] : [])),
  )
  const namesWithRules = TABLES.map(({ table }) => getTableName(table))
  expect(namesWithRules.toSorted()).toEqual(tableNames.toSorted())
})

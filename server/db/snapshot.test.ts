import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const server = join(import.meta.dirname, '..')

test('the tables match the last migration', async () => {
  const snapshotPaths = globSync('db/migrations/meta/*_snapshot.json', { cwd: server }).toSorted()
  const snapshot = JSON.parse(readFileSync(join(server, snapshotPaths.at(-1) ?? ''), 'utf8'))
  const modules = await Promise.all(
    globSync('*/{,*/}tables.ts', { cwd: server }).map((path) => import(join(server, path))),
  )
  const tables = Object.assign({}, ...modules) as Record<string, unknown>
  const statements = await generateMigration(snapshot, generateDrizzleJson(tables, snapshot.id))
  expect(statements).toEqual([])
})

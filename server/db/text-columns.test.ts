import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'
import { dollarsOrNull, flagOrNull, idsIn, readTextRows, textColumns, textOrNull } from './text-columns.ts'

const server = await startTestServer()

const columns = { words: sql`words`, cents: sql`cents`, flag: sql`flag`, ids: sql`ids` }
const VALUES = `('say "hi" \\ and\nbye, Zoë 🥋', 8550, true, '{a,b}'::text[]), ('', 0, false, '{}'), (null, null, null, null)`

async function readBack(values: string) {
  const { rows } = await server.db.withoutDojo((tx) =>
    tx.execute<{ all: string | null }>(
      sql`select ${textColumns(columns, sql`cents`)} as all from (values ${sql.raw(values)}) given (words, cents, flag, ids)`,
    ),
  )
  return readTextRows(columns, rows[0]!.all, (of, row) => ({
    words: textOrNull(of.words[row]),
    dollars: dollarsOrNull(of.cents[row]),
    flag: flagOrNull(of.flag[row]),
    ids: idsIn(of.ids[row]),
  }))
}

test('reads what rows hold, in their order: texts of any characters, nothing, and null', async () => {
  expect(await readBack(VALUES)).toEqual([
    { words: '', dollars: 0, flag: false, ids: [] },
    { words: 'say "hi" \\ and\nbye, Zoë 🥋', dollars: 85.5, flag: true, ids: ['a', 'b'] },
    { words: null, dollars: null, flag: null, ids: [] },
  ])
})

test('is empty where there is no row', () => {
  expect(readTextRows(columns, null, (_, row) => row)).toEqual([])
})

test('refuses rows in which a value holds what ends one', async () => {
  await expect(readBack(`(e'a\\x1fb', 1, true, '{}'::text[])`)).rejects.toThrow('ends a value')
})

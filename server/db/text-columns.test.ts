import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'
import {
  dollarsOrNull,
  flagOrNull,
  idPairs,
  idsIn,
  rareColumn,
  rareReader,
  readIdPairs,
  readTextRows,
  textColumns,
  textOrNull,
  trueOrNull,
} from './text-columns.ts'

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

const rare = { flag: trueOrNull(sql`flag`), perhaps: sql`perhaps`, words: sql`words` }
const readRare = rareReader(rare)

async function readRareBack(values: string) {
  const { rows } = await server.db.withoutDojo((tx) =>
    tx.execute<{ rare: string }>(
      sql`select ${rareColumn(rare)} as rare from (values ${sql.raw(values)}) given (flag, perhaps, words)`,
    ),
  )
  return rows.map((row) => {
    const { flag, perhaps, words } = readRare(row.rare)
    return {
      written: row.rare !== '',
      flag: flag === 'true',
      perhaps: flagOrNull(perhaps),
      words: textOrNull(words),
    }
  })
}

test('reads columns in which few rows have anything, and writes nothing for the others', async () => {
  expect(
    await readRareBack(
      `(true, false, 'a\nb 🥋'), (false, null, ''), (false, true, null), (false, null::boolean, null::text)`,
    ),
  ).toEqual([
    { written: true, flag: true, perhaps: false, words: 'a\nb 🥋' },
    { written: true, flag: false, perhaps: null, words: '' },
    { written: true, flag: false, perhaps: true, words: null },
    { written: false, flag: false, perhaps: null, words: null },
  ])
})

test('refuses a rare value that holds what ends one', async () => {
  await expect(readRareBack(`(true, null::boolean, e'a\\x1cb')`)).rejects.toThrow('ends a value')
})

test('reads pairs of ids in their order, and none', async () => {
  const [a, b, c] = ['a', 'b', 'c'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`)
  const pairsOf = async (values: string) => {
    const { rows } = await server.db.withoutDojo((tx) =>
      tx.execute<{ pairs: string | null }>(
        sql`select ${idPairs(sql`one`, sql`other`, sql`at`)} as pairs from (values ${sql.raw(values)}) given (one, other, at) where at > 0`,
      ),
    )
    const pairs: string[][] = []
    readIdPairs(rows[0]!.pairs, (one, other) => pairs.push([one, other]))
    return pairs
  }
  expect(await pairsOf(`('${a}'::uuid, '${b}'::uuid, 2), ('${c}'::uuid, '${a}'::uuid, 1)`)).toEqual(
    [
      [c, a],
      [a, b],
    ],
  )
  expect(await pairsOf(`('${a}'::uuid, '${b}'::uuid, 0)`)).toEqual([])
})

import { sql } from 'drizzle-orm'
import type pg from 'pg'
import type { Database } from '../db/database.ts'
import type { Ids } from './sample-ids.ts'

/** Where only certain words can stand, or a key; everywhere else text is somebody's own. */
const COLUMNS_WITHOUT_FREE_TEXT = `
  email role relation password_hash kind event command source state payment_status belt_level gender job time_zone key asked token_hash session_id address
  pattern tags_colour age_counts held_at answer result`
  .trim()
  .split(/\s+/)

const excludedNames = COLUMNS_WITHOUT_FREE_TEXT.map((word) => `'${word}'`).join(', ')
const OF_A_DOJO =
  "select table_name from information_schema.columns where table_schema = 'public' and column_name = 'dojo_id'"
/** Two tables are read without a dojo and outlive it. */
const PLANTED_COLUMNS =
  sql.raw(`select table_name as table, column_name as column from information_schema.columns
  where table_schema = 'public' and data_type = 'text' and column_name not in (${excludedNames})
  and table_name not in ('provider_messages', 'audit_log') and (table_name = 'dojos' or table_name in (${OF_A_DOJO})) order by 1, 2`)
const keyOf = (table: string) => (table === 'dojos' ? 'id' : 'dojo_id')

/** Writes a word that stands nowhere else into every text of a dojo's rows; it names the table, for whoever finds it. */
export const plantCanaries = (db: Database, { dojo_id }: Ids): Promise<void> =>
  db.inDojo(dojo_id, async (tx) => {
    const { rows } = await tx.execute<{ table: string; column: string }>(PLANTED_COLUMNS)
    for (const { table, column } of rows) {
      await tx.execute(
        sql.raw(
          `update ${table} set "${column}" = 'zanshin of ${table}' where ${keyOf(table)} = '${dojo_id}'`,
        ),
      )
    }
  })

/** Of every dojo the super admin reads this much. */
export const OVERSEEN_TABLES = ['dojos', 'instructors', 'sensei_directory']

/** The tables whose words stand in an answer. */
export const canariesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/zanshin of (\w+)/g)].map(([, table]) => table!)),
]

/** What a dojo's rows are right now, its people's sessions included, but for rows that name `besides`; for the eyes of an overseer. */
export async function digestRows(
  overseer: pg.Client,
  tables: string[],
  { dojo_id }: Ids,
  conditions: string[],
): Promise<string> {
  const rowsOf = (table: string, condition: string) =>
    `select '${table}' as name, coalesce(string_agg(t::text, '|' order by t::text), '') as rows
      from "${table}" t where ${condition} and ${conditions.map((id) => `t::text not like '%${id}%'`).join(' and ')}`
  const queries = [
    ...tables.map((table) => rowsOf(table, `${keyOf(table)} = '${dojo_id}'`)),
    rowsOf('accounts', `dojo_id = '${dojo_id}'`),
    rowsOf('passkeys', `account_id in (select id from accounts where dojo_id = '${dojo_id}')`),
    rowsOf('sessions', `account_id in (select id from accounts where dojo_id = '${dojo_id}')`),
  ]
  const { rows } = await overseer.query<{ name: string; rows: string }>(queries.join(' union all '))
  return rows.map(({ name, rows: tableRows }) => `${name}: ${tableRows}`).join('\n')
}

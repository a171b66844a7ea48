/** Canaries are texts of one dojo that start with "zanshin of", which no other text contains. If
 *  another dojo's caller gets one, data has leaked. */
import { sql } from 'drizzle-orm'
import type pg from 'pg'
import type { Database } from '../db/database.ts'
import type { Ids } from './sample-ids.ts'

/** Columns whose values cannot be replaced, such as keys and fixed values. */
const COLUMNS_WITHOUT_FREE_TEXT = `
  email role relation password_hash kind event command source state payment_status belt_level
  gender job left_reason time_zone key asked token_hash session_id address
  media_type color pattern tags_colour age_counts held_at answer result unit stop_reason
  signer signer_kind purpose due resign channel language valid_until_day disclosure_version`
  .trim()
  .split(/\s+/)

const excludedNames = COLUMNS_WITHOUT_FREE_TEXT.map((word) => `'${word}'`).join(', ')
const DOJO_TABLES =
  "select table_name from information_schema.columns where table_schema = 'public' and " +
  "column_name = 'dojo_id'"
/** Selects the columns that get a canary. Two tables are left out because they are read without a
 *  dojo, and two because their rows never change. */
const CANARY_COLUMNS_QUERY =
  sql.raw(`select table_name as table, column_name as column from information_schema.columns
  where table_schema = 'public' and data_type = 'text' and column_name not in (${excludedNames})
  and table_name not in ('provider_messages', 'audit_log', 'autopay_agreements',
    'charge_notices') and (table_name = 'dojos' or table_name in (${DOJO_TABLES})) order by 1, 2`)
const dojoColumnOf = (table: string) => (table === 'dojos' ? 'id' : 'dojo_id')

/** Writes a canary with the table's name into every text column of a dojo's rows. */
export const plantCanaries = (db: Database, { dojo_id }: Ids): Promise<void> =>
  db.inDojo(dojo_id, async (tx) => {
    const { rows } = await tx.execute<{ table: string; column: string }>(CANARY_COLUMNS_QUERY)
    for (const { table, column } of rows) {
      await tx.execute(
        sql.raw(
          `update ${table} set "${column}" = 'zanshin of ${table}' where ${dojoColumnOf(table)} ` +
            `= '${dojo_id}'`,
        ),
      )
    }
  })

/** The tables that the super admin may read for every dojo. */
export const OVERSEEN_TABLES = ['dojos', 'instructors', 'sensei_directory']

/** Returns the tables whose canaries the text contains. */
export const findCanaryTables = (text: string): string[] => [
  ...new Set([...text.matchAll(/zanshin of (\w+)/g)].map(([, table = '']) => table)),
]

/** Returns the dojo's rows as one text, to detect changes. Leaves out rows that contain one of
 *  `ignoredTexts`, such as an id or a phone number. */
export async function digestRows(
  overseer: pg.Client,
  tables: string[],
  { dojo_id }: Ids,
  ignoredTexts: string[],
): Promise<string> {
  const rowsQuery = (table: string, condition: string) =>
    `select '${table}' as name, coalesce(string_agg(t::text, '|' order by t::text), '') as rows
      from "${table}" t where ${condition} and
        ${ignoredTexts.map((text) => `t::text not like '%${text}%'`).join(' and ')}`
  const queries = [
    ...tables.map((table) => rowsQuery(table, `${dojoColumnOf(table)} = '${dojo_id}'`)),
    rowsQuery('accounts', `dojo_id = '${dojo_id}'`),
    rowsQuery('passkeys', `account_id in (select id from accounts where dojo_id = '${dojo_id}')`),
    rowsQuery('sessions', `account_id in (select id from accounts where dojo_id = '${dojo_id}')`),
  ]
  const { rows } = await overseer.query<{ name: string; rows: string }>(queries.join(' union all '))
  return rows.map(({ name, rows: tableRows }) => `${name}: ${tableRows}`).join('\n')
}

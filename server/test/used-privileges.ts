import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'

export type Action = 'select' | 'insert' | 'update' | 'delete'
/** What statements do to a table: which actions, and which columns they write. */
export type Use = { actions: Set<Action>; updated: Set<string> }
export type Uses = Map<string, Use>

const entryOf = (uses: Uses, table: string): Use => {
  const use = uses.get(table) ?? { actions: new Set<Action>(), updated: new Set<string>() }
  uses.set(table, use)
  return use
}
export function recordUse(uses: Uses, table: string, action: Action, columns: string[] = []): void {
  const use = entryOf(uses, table)
  use.actions.add(action)
  if (action === 'update') for (const column of columns) use.updated.add(column)
}

/** As PostgreSQL writes them: of each table of a statement, the rights it needs (bits) and the columns it updates (numbers from -7 on). */
const PERMISSIONS =
  /\{RTEPERMISSIONINFO :relid (\d+) :inh \w+ :requiredPerms (\d+) :checkAsUser \d+ :selectedCols \([^)]*\) :insertedCols \([^)]*\) :updatedCols \(b ?([^)]*)\)/g
const BITS: [bit: number, action: Action][] = [
  [1, 'insert'],
  [2, 'select'],
  [4, 'update'],
  [8, 'delete'],
]
const FIRST_NUMBER = -7

/** What these statements need, as the database itself analyses them; it prints that from version 16 on. A lock needs the right to update. */
export async function usesOfStatements(client: pg.Client, statements: string[]): Promise<Uses> {
  const { rows } = await client.query<{ oid: number; table: string; columns: string[] }>(`
    select c.oid::int, relname as table, array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 order by attnum) as columns
    from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`)
  const tables = new Map(rows.map((row) => [row.oid, row]))
  const uses: Uses = new Map()
  const onNotice = ({ detail = '' }: { detail?: string | undefined }) => {
    for (const [, oid, perms, columns = ''] of detail
      .replaceAll(/\s+/g, ' ')
      .matchAll(PERMISSIONS)) {
      const table = tables.get(Number(oid))
      if (!table) continue
      const updated = columns
        .split(' ')
        .flatMap((number) => (number ? [table.columns[Number(number) + FIRST_NUMBER - 1]!] : []))
      for (const [bit, action] of BITS)
        if (Number(perms) & bit) recordUse(uses, table.table, action, updated)
    }
  }
  client.on('notice', onNotice)
  await client.query(
    'set debug_print_rewritten = on; set debug_pretty_print = off; set client_min_messages = log',
  )
  for (const statement of statements)
    await client.query(`prepare used as ${statement}; deallocate used`)
  await client.query(
    'reset debug_print_rewritten; reset debug_pretty_print; reset client_min_messages',
  )
  client.off('notice', onNotice)
  return uses
}

const SERVER = join(import.meta.dirname, '..')
/** `.update(students).set({ name })`, `.insert(…)`, `.delete(…)`, and what a conflict sets, however the lines break. */
const CODE = /\.(insert|update|delete)\((\w+)\)(?:\s*\.set\((?:\{([^]*?)\}|(\w+))\))?/g
const CODE_ON_CONFLICT = /\.insert\((\w+)\)[^;]*?\.onConflictDoUpdate\(\{[^]*?set: \{([^]*?)\}/g
const SQL =
  /\b(insert into|update|delete from)\s+"?([a-z_]+)"?(?:\s+(?!set\b)\w+)?(?:\s+set\s+([^]*?)(?=\s+(?:from|where|returning)\b|[`;]))?/gi
const SQL_ON_CONFLICT =
  /\binsert into\s+"?([a-z_]+)"?[^`;]*?\bdo update set\s+([^]*?)(?=\s+where\b|[`;])/gi
const SQL_READ = /\b(?:from|join)\s+([a-z_]+)/g
const CODE_COLUMN = /(?:^|,)\s*([a-z_]+)\b/g
const SQL_COLUMN = /(?:^|,)\s*"?([a-z_]+)"?\s*=/g

/** The columns in a list of assignments, without what stands in brackets. */
function columnsIn(assignments: string, pattern: RegExp): string[] {
  let flat = assignments
  for (let before = ''; before !== flat;) {
    before = flat
    flat = flat.replaceAll(/\([^()]*\)|\{[^{}]*\}|\[[^[\]]*\]|\bcase\b[^]*?\bend\b/gi, '')
  }
  return [...flat.matchAll(pattern)].map(([, column]) => column!)
}

/** What the server's sources and `functions`, the bodies of the database's own, say they do to tables. `tables` are those of the database by
 *  their names in the code. Where the columns are in a variable, every column's name in that file counts. */
export function usesInSources(tables: Record<string, string>, functions: string[]): Uses {
  const uses: Uses = new Map()
  const files = globSync('**/*.ts', {
    cwd: SERVER,
    exclude: ['test/**', '**/*.test.ts', '**/tables.ts', 'withheld-privileges.ts'],
  })
  for (const text of [
    ...files.map((file) => readFileSync(join(SERVER, file), 'utf8')),
    ...functions,
  ]) {
    const words = [...new Set(text.match(/\b[a-z_]+\b/g))]
    for (const [, action, table = '', columns = '', variable] of text.matchAll(CODE))
      if (tables[table])
        recordUse(
          uses,
          tables[table],
          action as Action,
          variable ? words : columnsIn(columns, CODE_COLUMN),
        )
    for (const [, table = '', columns = ''] of text.matchAll(CODE_ON_CONFLICT))
      if (tables[table]) recordUse(uses, tables[table], 'update', columnsIn(columns, CODE_COLUMN))
    for (const [, phrase = '', table = '', columns = ''] of text.matchAll(SQL))
      recordUse(
        uses,
        table,
        phrase.toLowerCase().split(' ')[0] as Action,
        columnsIn(columns, SQL_COLUMN),
      )
    for (const [, table = ''] of text.matchAll(SQL_READ)) recordUse(uses, table, 'select')
    for (const [, table = '', columns = ''] of text.matchAll(SQL_ON_CONFLICT))
      recordUse(uses, table, 'update', columnsIn(columns, SQL_COLUMN))
  }
  return uses
}

const GRANTED = `
  select relname as table, right_ as action, null as column from pg_class c, unnest(array['select', 'insert', 'delete']) right_
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and has_table_privilege('tatami_app', c.oid, right_)
  union all select relname, 'update', attname from pg_class c join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and has_column_privilege('tatami_app', c.oid, attnum, 'update')
  order by 1, 2, 3`

/** What the serving role may do to the server's tables and none of these uses does; a sentence each. */
export async function grantsInVain(client: pg.ClientBase, uses: Uses[]): Promise<string[]> {
  const { rows } = await client.query<{ table: string; action: Action; column: string | null }>(
    GRANTED,
  )
  const isUsed = ({ table, action, column }: (typeof rows)[number]) =>
    uses.some((all) => {
      const use = all.get(table)
      // A change reads the row that it changes; a row that is only locked has no column changed.
      if (action === 'select') return use?.actions.has('select') || use?.actions.has('update')
      return column
        ? use?.updated.has(column) || (use?.updated.size === 0 && use.actions.has('update'))
        : use?.actions.has(action)
    })
  return rows
    .filter((granted) => !isUsed(granted))
    .map(
      ({ table, action, column }) =>
        `tatami_app may ${action} ${column ? `${table}.${column}` : table}, and no statement does`,
    )
}

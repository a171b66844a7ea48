import { getTableName } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'

/** What the serving role may not do to a table: whole actions, and columns that it may not change. */
export type Withheld = {
  table: PgTable
  actions: ('insert' | 'update' | 'delete')[]
  columns: PgColumn[]
}

// What an earlier version granted goes first. All of it is one transaction, so a server that is running notices nothing.
const GRANT_ALL_BUT_KEYS = `
revoke all on all tables in schema public from tatami_app;
do $$ declare found record; begin
  for found in
    select c.oid::regclass as name, string_agg(quote_ident(attname), ', ') filter (where not is_key and attname <> 'created_at') as columns
    from pg_class c join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped,
      lateral (select exists (select from pg_index where indrelid = c.oid and indisprimary and attnum = any (indkey)) as is_key) k
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') group by c.oid
  loop
    execute format('grant select, insert, delete on %s to tatami_app', found.name);
    if found.columns is not null then execute format('grant update (%s) on %s to tatami_app', found.columns, found.name); end if;
  end loop;
end $$;`

const refuse = ({ table, actions, columns }: Withheld): string[] => {
  const on = `on ${getTableName(table)}`
  const rights = [
    ...actions,
    ...(columns.length > 0 ? [`update (${columns.map(({ name }) => name).join(', ')})`] : []),
  ]
  return rights.length > 0 ? [`revoke ${rights.join(', ')} ${on} from tatami_app;`] : []
}

/** Grants the serving role to read every table, to add, to delete, and to change what is no key and not `created_at`, but for what is
 *  `withheld`; `changedKeys` it may change as well. */
export const servingGrants = (withheld: Withheld[], changedKeys: PgColumn[]): string =>
  [
    GRANT_ALL_BUT_KEYS,
    ...changedKeys.map(
      ({ name, table }) => `grant update (${name}) on ${getTableName(table)} to tatami_app;`,
    ),
    ...withheld.flatMap(refuse),
    'revoke insert, update, delete on migrations from tatami_app;',
  ].join('\n')

import { toCents, toDollars } from '@tatami/contract/lib/money'
import { getTableColumns, sql, type Table } from 'drizzle-orm'
import {
  type AnyPgColumn,
  customType,
  foreignKey,
  pgPolicy,
  pgRole,
  primaryKey,
  uuid,
} from 'drizzle-orm/pg-core'
import { v7 } from 'uuid'
import { nowIso } from '../lib/clock.ts'

const app = pgRole('tatami_app').existing()
const ownClasses = pgRole('tatami_own_classes').existing()
const overseer = pgRole('tatami_overseer').existing()

export const currentDojoId = sql`current_setting('app.dojo_id')::uuid`
const isCurrentDojo = sql`dojo_id = ${currentDojoId}`

/** A UUIDv7, so ids sort by the time of their creation. */
export const newId = (): string => v7()
export const id = () => uuid().notNull().$defaultFn(newId)

/** Defaults to the transaction's dojo, so that inserts can leave it out. */
export const dojoId = () => uuid().notNull().default(currentDojoId)

/** The primary key begins with the dojo. The policies show each dojo only its own rows. */
export const tenantKey = (...columns: [dojo: AnyPgColumn, ...AnyPgColumn[]]) => [
  primaryKey({ columns }),
  pgPolicy('dojo_isolation', {
    to: [app, ownClasses],
    using: isCurrentDojo,
    withCheck: isCurrentDojo,
  }),
  pgPolicy('overseer_reads', { to: overseer, for: 'select', using: sql`true` }),
]

/** Creates a foreign key. `columns` are the columns that refer to the dojo and to the row. */
export const reference = (
  name: string,
  columns: [dojo: AnyPgColumn, id: AnyPgColumn],
  table: { dojo_id: AnyPgColumn; id: AnyPgColumn },
) => foreignKey({ name, columns, foreignColumns: [table.dojo_id, table.id] })

export const instant = customType<{ data: string; driverData: string | Date }>({
  dataType: () => 'timestamp with time zone',
  fromDriver: (value) => new Date(value).toISOString(),
})
export const createdAt = () => instant().notNull().$defaultFn(nowIso)

export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** Stored in cents. Our code reads and writes dollars. */
export const cents = customType<{ data: number; driverData: number }>({
  dataType: () => 'integer',
  fromDriver: toDollars,
  toDriver: toCents,
})

export const centsSum = customType<{ data: number; driverData: number | string }>({
  dataType: () => 'bigint',
  fromDriver: (value) => toDollars(Number(value)),
  toDriver: toCents,
})

type Columns<SomeTable extends Table> = SomeTable['_']['columns']

/** Returns the columns whose names are also fields of a contract schema. */
export function sharedColumns<SomeTable extends Table, Fields extends object>(
  table: SomeTable,
  { shape }: { shape: Fields },
): Pick<Columns<SomeTable>, keyof Columns<SomeTable> & keyof Fields> {
  const columns = Object.entries(getTableColumns(table))
  return Object.fromEntries(columns.filter(([name]) => name in shape)) as Pick<
    Columns<SomeTable>,
    keyof Columns<SomeTable> & keyof Fields
  >
}

/** Sorts people by name, ignoring case, and then by id. */
export const byName = ({ name, id: rowId }: { name: AnyPgColumn; id: AnyPgColumn }) => [
  sql`lower(${name})`,
  sql`${rowId}`,
]

export const pluck = <Row, Column extends keyof Row>(
  rows: readonly Row[],
  column: Column,
): Row[Column][] => rows.map((row) => row[column])

export const pick = <Row extends object, Field extends keyof Row>(
  row: Row,
  ...fields: Field[]
): Pick<Row, Field> =>
  Object.fromEntries(fields.map((field) => [field, row[field]])) as Pick<Row, Field>

export const omit = <Row extends object, Field extends keyof Row>(
  row: Row,
  ...fields: Field[]
): Omit<Row, Field> =>
  Object.fromEntries(
    Object.entries(row).filter(([field]) => !(fields as PropertyKey[]).includes(field)),
  ) as Omit<Row, Field>

export function firstRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined) throw new Error('There is no row')
  return row
}

export function getOrThrow<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key)
  if (value === undefined) throw new Error(`The map has no entry for ${String(key)}`)
  return value
}

/** Like `Map.groupBy`, but with a type that says that no group is empty. */
export const groupRows = <Row, Key>(rows: Iterable<Row>, keyOf: (row: Row) => Key) =>
  Map.groupBy(rows, keyOf) as Map<Key, [Row, ...Row[]]>

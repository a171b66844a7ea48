export const pluck = <Row, Column extends keyof Row>(
  rows: readonly Row[],
  column: Column,
): Row[Column][] => rows.map((row) => row[column])

export const pick = <Row extends object, Field extends keyof Row>(
  row: Row,
  ...fields: Field[]
): Pick<Row, Field> =>
  Object.fromEntries(fields.map((field) => [field, row[field]])) as Pick<Row, Field>

/** The values that rows have in one column. */
export const pluck = <Row, Column extends keyof Row>(
  rows: readonly Row[],
  column: Column,
): Row[Column][] => rows.map((row) => row[column])

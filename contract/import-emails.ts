import type { z } from 'zod'
import type { ImportField } from './import-columns.ts'
import type { RowReader } from './import-row-reader.ts'

const ADDRESS = /[^\s<>,;:"']+@[^\s<>,;"']+/

/** The address of a cell by its rule: "ken@home.org" of "Ken <ken@home.org>". */
export function addressIn(
  { checked, text }: RowReader,
  field: ImportField,
  rule: z.ZodType<string>,
): string | null {
  const cell = text(field)
  return checked(field, ADDRESS.exec(cell)?.[0] ?? cell, rule)
}

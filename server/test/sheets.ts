import { toImportForm, parseSheet } from '@tatami/contract/import/sheet'

const TODAY = '2026-11-22'

/** Returns the body of an import request for a sheet. */
export const importBodyOfTable = (table: readonly (readonly string[])[]) =>
  toImportForm(parseSheet(table, TODAY))

export const importBodyOfCsv = (csv: string) =>
  importBodyOfTable(csv.trim().split('\n').map(cellsOfLine))

const cellsOfLine = (line: string) => line.split(',')

export function requireOk({ status, body }: { status: number; body: any }): any {
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body
}

import type { z } from 'zod'
import type { ImportField } from './import-fields.ts'
import { type FilledCell, quoteCell, type RowReader } from './row-reader.ts'
import { normalizeText } from './values.ts'
import { regex } from './patterns.ts'

const ADDRESS = /[^\s<>()[\],;:|/"'“”‘’]+@[^\s<>()[\],;:|/"'“”‘’]+/g
const SEPARATOR = /[;,|/\n]+|\s+(?:or|and|&)\s+/i
const NOT_IN_USE = regex()`
  \b(bounc(ed?|es|ing)|undeliverable|invalid|wrong|bad|old|former|inactive|do not (use|email
  |e mail)|not in use|no longer)\b`
const NO_ADDRESS = regex()`
  ^(no|none|na|n a|does not have|doesn t have|has no|have no|not)( (e ?mail|address|one|given
  |provided|on file|known|yet))*$|^(declined|refused|tb[adc]|pending|later|missing|same( as .*)?
  |see above|x+)$`
/** "Ken <ken@home.org>" */
const NAMED_ADDRESS = /^[^<>@]*<[^<>]+>$/

const findAddresses = (text: string) =>
  (text.match(ADDRESS) ?? []).map((address) => address.replace(/\.+$/, ''))

/** Reads the first usable address in a cell. A cell that says more is saved in the notes. */
export function readEmail(
  reader: RowReader,
  field: ImportField,
  rule: z.ZodType<string>,
): string | null {
  const [cell] = reader.filledCells(field)
  if (!cell) return null
  const addresses = findAddresses(cell.text)
  if (addresses.length === 0) return checkWithoutAddress(reader, field, cell, rule)
  const usableAddresses = cell.text
    .split(SEPARATOR)
    .filter((part) => !NOT_IN_USE.test(normalizeText(part.replaceAll(ADDRESS, ' '))))
    .flatMap(findAddresses)
  const [address] = usableAddresses
  if (address === undefined) {
    saveInNotes(reader, field, cell, `“${cell.text}” is not used`)
    return null
  }
  if (addresses.length > 1 || hasOtherText(cell.text))
    saveInNotes(reader, field, cell, `We’ll use ${address}`)
  return reader.checkValue(field, address, rule)
}

function checkWithoutAddress(
  { notices, checkValue }: RowReader,
  field: ImportField,
  { text }: FilledCell,
  rule: z.ZodType<string>,
): string | null {
  if (!NO_ADDRESS.test(normalizeText(text))) return checkValue(field, text, rule)
  notices.push({ field, message: `“${text}” isn’t an email address: left empty` })
  return null
}

/** True if the cell has words besides addresses, not counting a name as in "Ken <ken@home.org>". */
const hasOtherText = (text: string) =>
  !NAMED_ADDRESS.test(text) &&
  /\p{L}/u.test(text.replaceAll(ADDRESS, ' ').replaceAll(/\b(mailto|e-?mail)\b:?/gi, ' '))

function saveInNotes(
  { notes, notices }: RowReader,
  field: ImportField,
  cell: FilledCell,
  reason: string,
) {
  const line = quoteCell(cell.heading || 'Email', cell.text)
  notes.push(line)
  notices.push({ field, message: `${reason}. Saved in notes: “${line}”` })
}

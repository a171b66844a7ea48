import type { z } from 'zod'
import type { ImportField } from './import-fields.ts'
import type { FilledCell, RowReader } from './row-reader.ts'
import { fold } from './values.ts'
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

const addressesOf = (text: string) =>
  (text.match(ADDRESS) ?? []).map((address) => address.replace(/\.+$/, ''))

/** The usable address of a cell. Other addresses and words go into the notes. */
export function addressIn(
  reader: RowReader,
  field: ImportField,
  rule: z.ZodType<string>,
): string | null {
  const [cell] = reader.filled(field)
  if (!cell) return null
  const addresses = addressesOf(cell.text)
  if (addresses.length === 0) return addressOfWords(reader, field, cell, rule)
  const usable = cell.text
    .split(SEPARATOR)
    .filter((part) => !NOT_IN_USE.test(fold(part.replaceAll(ADDRESS, ' '))))
    .flatMap(addressesOf)
  const [address] = usable
  if (address === undefined) {
    keep(reader, field, cell, `“${cell.text}” is not used`)
    return null
  }
  if (addresses.length > 1 || hasWords(cell.text)) keep(reader, field, cell, `${address} is taken`)
  return reader.checked(field, address, rule)
}

function addressOfWords(
  { notices, checked }: RowReader,
  field: ImportField,
  { text }: FilledCell,
  rule: z.ZodType<string>,
): string | null {
  if (!NO_ADDRESS.test(fold(text))) return checked(field, text, rule)
  notices.push({ field, message: `“${text}” is no email address: left empty` })
  return null
}

/** The name in "Ken <ken@home.org>" does not count. */
const hasWords = (text: string) =>
  !NAMED_ADDRESS.test(text) &&
  /\p{L}/u.test(text.replaceAll(ADDRESS, ' ').replaceAll(/\b(mailto|e-?mail)\b:?/gi, ' '))

function keep({ notes, notices }: RowReader, field: ImportField, cell: FilledCell, reason: string) {
  const line = `${cell.heading || 'Email'}: ${cell.text}`.slice(0, 200)
  notes.push(line)
  notices.push({ field, message: `${reason}. Saved in notes: “${line}”` })
}

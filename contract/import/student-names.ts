import { type CellWithAside, takeAsides, takeWords } from './asides.ts'
import type { ImportField } from './import-fields.ts'
import { forbiddenParents, forbidsContact, takeNoTexts } from './contacts.ts'
import { nameOfParts } from './guardians.ts'
import { NO_TEXTS_IN_WORDS } from './opt-outs.ts'
import type { RowReader } from './row-reader.ts'
import type { Statement } from './presence.ts'
import { isPastOrOther, parseStatus } from './status.ts'
import { fold, parseName } from './values.ts'
import { isName } from '../lib/names.ts'
import { regex } from './patterns.ts'

type WrittenName = {
  field: ImportField
  name: string
  /** From words beside the name: "Ken Adams (inactive)". */
  statement: Statement | null
  /** The words that ask for no texts: "Name: Ken Adams DO NOT TEXT". */
  optOut: string | null
  warnings: string[]
}

const NAME_FIELDS = ['name', 'first_name', 'last_name'] as const
type NameCell = { field: (typeof NAME_FIELDS)[number]; heading: string; text: string }

export function writtenNameIn(reader: RowReader, today: string): WrittenName {
  const result: WrittenName = {
    field: 'name',
    name: '',
    statement: null,
    optOut: null,
    warnings: [],
  }
  const cells = NAME_FIELDS.flatMap((field): NameCell[] => {
    const [cell] = reader.filled(field)
    return cell ? [{ field, heading: cell.heading, text: cell.text }] : []
  })
  const texts = new Map(cells.map((cell) => [cell.field, bareName(reader, cell, today, result)]))
  const text = (field: (typeof NAME_FIELDS)[number]) => texts.get(field) ?? ''
  const [first, last] = [text('first_name'), text('last_name')]
  const whole = text('name')
  if (whole && !isPartOf(whole, first, last)) return { ...result, name: parseName(whole) }
  const parts = (['first_name', 'last_name'] as const).filter((field) => text(field) !== '')
  const odd = parts.find((field) => !isName(text(field)))
  return {
    ...result,
    field: odd ?? parts[0] ?? 'name',
    name: nameOfParts(first || whole, last.replaceAll(OF_HOUSEHOLD, '') || whole),
  }
}

/** "The Baker family", "Lee #1" */
const OF_HOUSEHOLD = /^the\s+|\s+(family|household|residence)$|\s*#\s*\d+$/gi

function isPartOf(whole: string, first: string, last: string): boolean {
  if (first && last) return true
  const part = fold(first || last)
  return part !== '' && !/[\s,]/.test(whole) && fold(whole) !== part
}

/** Removes words that are no name, and stores in `result` what they say. */
function bareName(reader: RowReader, cell: NameCell, today: string, result: WrittenName): string {
  const labelWords = (words: string) => `${cell.heading || 'Name'}: ${words}`.slice(0, 200)
  const forbidding = takeWords(cell.text, forbidsContact)
  const keepWords = (words: string) => {
    reader.notes.push(labelWords(words))
    reader.notices.push({ field: cell.field, message: `Saved in notes: “${words}”` })
  }
  if (forbidding.words !== null) {
    const { words } = forbidding
    keepWords(words)
    result.warnings.push(words)
    const isOfParent = forbiddenParents(words).length > 0
    if (!isOfParent && NO_TEXTS_IN_WORDS.test(fold(words))) result.optOut ??= labelWords(cell.text)
  }
  const noTexts = takeNoTexts(forbidding.text)
  if (noTexts.words !== null) result.optOut ??= labelWords(cell.text)
  const otherWords = takeAsides(noTexts.text, isPastOrOther)
  if (otherWords.words !== null) keepWords(otherWords.words)
  const { text, words } = takeStatus(otherWords.text, today)
  const status = words === null ? null : parseStatus(words, today)
  if (status !== null) result.statement ??= { status, words: labelWords(cell.text) }
  if (text !== cell.text)
    reader.notices.push({ field: cell.field, message: `Becomes “${text}”`, becomes: text })
  return text
}

const LAST_WORD = regex('i')`
  ^(?<name>.+\S)\s+(?<word>inactive|cancell?ed|deceased|quit|withdrawn|withdrew|dropped
  |terminated|archived|expelled)$`
/** Words of statuses that may be nicknames. */
const REST_IN_PEACE = /\p{Ll}.*\bR\.?I\.?P\b/u
const NICKNAME = /^(rip|ex|old|past|lost|max|gold)$/

function takeStatus(cell: string, today: string): CellWithAside {
  const isNickname = (words: string) => NICKNAME.test(words) && !REST_IN_PEACE.test(cell)
  const isStatus = (words: string) => !isNickname(words) && parseStatus(words, today) !== null
  const aside = takeAsides(cell, isStatus)
  if (aside.words !== null && aside.text !== '') return aside
  const { name, word } = LAST_WORD.exec(cell)?.groups ?? {}
  return name && word ? { text: name, words: word } : { text: cell, words: null }
}

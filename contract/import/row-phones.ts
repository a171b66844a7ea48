import type { z } from 'zod'
import type { ImportField } from './import-fields.ts'
import { NO_TEXTS } from './opt-outs.ts'
import { type CellPhone, canGetTexts, parsePhone, rankForTexting, MIN_DIGITS } from './phones.ts'
import { type FilledCell, quoteCell, type RowReader } from './row-reader.ts'
import { normalizeText } from './values.ts'

const PHONE_FIELDS = [
  'phone_number',
  'emergency_contact_phone',
  'guardian_phone',
  'guardian_2_phone',
] as const satisfies ImportField[]
export type PhoneField = (typeof PHONE_FIELDS)[number]

const LABELS: Record<PhoneField, string> = {
  phone_number: 'Phone',
  emergency_contact_phone: 'Emergency phone',
  guardian_phone: 'Guardian’s phone',
  guardian_2_phone: 'Second guardian’s phone',
}

export type OptOut = { phone: string; quote: string }

type WrittenPhone = FilledCell & CellPhone

const quotePhone = (field: PhoneField, { heading, text }: FilledCell) =>
  quoteCell(heading || LABELS[field], text)
const isUnusable = ({ isUnreadable, isOutOfUse, text }: WrittenPhone) =>
  isUnreadable ||
  isOutOfUse ||
  (/\p{L}/u.test(text) && text.replaceAll(/\D/g, '').length < MIN_DIGITS) ||
  !/\d/.test(text)

/** Gives each field the number that is best for texting, and saves other numbers in the notes. */
export function phoneReader(reader: RowReader) {
  const { notes } = reader
  const numbers = new Map<PhoneField, string[]>()
  const refusals = new Map<PhoneField, string>()
  const acceptedNumbers = new Map<PhoneField, string>()
  /** Opt-outs of people who are not imported. */
  const otherOptOuts: OptOut[] = []

  function readPhone(field: PhoneField, rule: z.ZodType<string>, fallback = ''): string | null {
    const cells = reader.filledCells(field)
    if (cells.length === 0 && fallback !== '')
      cells.push({ heading: '', text: fallback, raw: fallback })
    const writtenPhones = cells
      .toSorted((a, b) => rankForTexting(a.heading) - rankForTexting(b.heading))
      .map((cell) => ({ ...cell, ...parsePhone(cell.text) }))
    for (const cell of writtenPhones) {
      if (NO_TEXTS.test(normalizeText(cell.text))) refusals.set(field, quotePhone(field, cell))
      if (isUnusable(cell)) reportUnusable(field, cell)
    }
    const phones = writtenPhones.filter((cell) => !isUnusable(cell))
    const chosenPhone = phones.find(({ number }) => canGetTexts(number)) ?? phones[0]
    if (!chosenPhone) return null
    numbers.set(
      field,
      phones.flatMap((cell) => cell.numbers),
    )
    keepOtherNumbers(field, chosenPhone, phones)
    const number = reader.checkValue(field, chosenPhone.number, rule)
    if (number !== null) acceptedNumbers.set(field, number)
    return number
  }

  /** Saves the text in the notes unless it only says that there is no phone. */
  function reportUnusable(field: PhoneField, cell: WrittenPhone) {
    const isKept =
      !cell.isUnreadable && !/^(tb[dac]|pending|later|missing|x+|no phone|no)\W*$/i.test(cell.text)
    if (isKept) notes.push(quotePhone(field, cell))
    const outcome = isKept ? 'saved in notes' : 'left empty'
    reader.notices.push({
      field,
      message: cell.isOutOfUse
        ? `“${cell.text}” is not used: saved in notes`
        : `“${cell.text}” isn’t a phone number: ${outcome}`,
      kind: 'no_texts',
    })
  }

  function keepOtherNumbers(field: PhoneField, chosenPhone: WrittenPhone, phones: WrittenPhone[]) {
    const otherNumbers = phones
      .filter((cell) => cell.hasMore || cell.number !== chosenPhone.number)
      .map((cell) => quotePhone(field, cell))
    if (otherNumbers.length === 0) return
    const quotes = otherNumbers.map((label) => `“${label}”`)
    notes.push(...otherNumbers)
    reader.notices.push({
      field,
      message: `We’ll use ${chosenPhone.number}. Saved in notes: ${quotes.join(', ')}`,
    })
  }

  /** Opts out the numbers in the cell of a person who is not imported. */
  function addOptOuts(text: string, quote: string) {
    otherOptOuts.push(...parsePhone(text).numbers.map((number) => ({ phone: number, quote })))
  }

  function findOptOutQuote(text: string): string | undefined {
    const { numbers: typedNumbers } = parsePhone(text)
    const hasOptedOut = ({ phone: number }: OptOut) =>
      typedNumbers.some((typedNumber) => isSameNumber(typedNumber, number))
    return otherOptOuts.find(hasOptedOut)?.quote
  }

  return {
    readPhone,
    addOptOuts,
    findOptOutQuote,
    numbers,
    refusals,
    otherOptOuts,
    acceptedNumbers,
  }
}

const isSameNumber = (typedNumber: string, otherNumber: string) => {
  const [digits, otherDigits] = [typedNumber, otherNumber].map((text) => text.replaceAll(/\D/g, ''))
  return digits?.slice(-10) === otherDigits?.slice(-10)
}

export type PhoneReader = ReturnType<typeof phoneReader>

import type { z } from 'zod'
import type { ImportField } from './import-fields.ts'
import { NO_TEXTS_IN_WORDS } from './opt-outs.ts'
import { type CellPhone, canGetTexts, parsePhone, phoneRank } from './phones.ts'
import type { FilledCell, RowReader } from './row-reader.ts'
import { fold } from './values.ts'

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

export type OptOut = { phone: string; words: string }

type WrittenPhone = FilledCell & CellPhone

const labelPhone = (field: PhoneField, { heading, text }: FilledCell) =>
  `${heading || LABELS[field]}: ${text}`.slice(0, 200)
const isUnusable = ({ isLost, isDead, text }: WrittenPhone) =>
  isLost ||
  isDead ||
  (/\p{L}/u.test(text) && text.replaceAll(/\D/g, '').length < 7) ||
  !/\d/.test(text)

/**
 * Reads the phones of a row. A field takes the number that texts should go to; extensions and other
 * numbers go into the notes.
 */
export function phoneReader(reader: RowReader) {
  const { notes } = reader
  const numbers = new Map<PhoneField, string[]>()
  const refusals = new Map<PhoneField, string>()
  const takenNumbers = new Map<PhoneField, string>()
  /** Numbers of people who are not imported, which get no texts either. */
  const refusedPhones: OptOut[] = []

  /** `spare` is used if the field's own cells are empty. */
  function phone(field: PhoneField, rule: z.ZodType<string>, spare = ''): string | null {
    const cells = reader.filled(field)
    if (cells.length === 0 && spare !== '') cells.push({ heading: '', text: spare, raw: spare })
    const writtenPhones = cells
      .toSorted((a, b) => phoneRank(a.heading) - phoneRank(b.heading))
      .map((cell) => ({ ...cell, ...parsePhone(cell.text) }))
    for (const cell of writtenPhones) {
      if (NO_TEXTS_IN_WORDS.test(fold(cell.text))) refusals.set(field, labelPhone(field, cell))
      if (isUnusable(cell)) pointOut(field, cell)
    }
    const usable = writtenPhones.filter((cell) => !isUnusable(cell))
    const chosenPhone = usable.find(({ number }) => canGetTexts(number)) ?? usable[0]
    if (!chosenPhone) return null
    numbers.set(
      field,
      usable.flatMap((cell) => cell.numbers),
    )
    keepFurther(field, chosenPhone, usable)
    const number = reader.checked(field, chosenPhone.number, rule)
    if (number !== null) takenNumbers.set(field, number)
    return number
  }

  /** Keeps words in place of a number, unless they say that there is none. */
  function pointOut(field: PhoneField, cell: WrittenPhone) {
    const isKept =
      !cell.isLost && !/^(tb[dac]|pending|later|missing|x+|no phone|no)\W*$/i.test(cell.text)
    if (isKept) notes.push(labelPhone(field, cell))
    const end = isKept ? 'saved in notes' : 'left empty'
    reader.notices.push({
      field,
      message: cell.isDead
        ? `“${cell.text}” is not used: saved in notes`
        : `“${cell.text}” isn’t a phone number: ${end}`,
      kind: 'no_texts',
    })
  }

  function keepFurther(field: PhoneField, chosenPhone: WrittenPhone, usable: WrittenPhone[]) {
    const further = usable
      .filter((cell) => cell.hasMore || cell.number !== chosenPhone.number)
      .map((cell) => labelPhone(field, cell))
    if (further.length === 0) return
    const quotes = further.map((label) => `“${label}”`)
    notes.push(...further)
    reader.notices.push({
      field,
      message: `We’ll use ${chosenPhone.number}. Saved in notes: ${quotes.join(', ')}`,
    })
  }

  function refuse(text: string, words: string) {
    refusedPhones.push(...parsePhone(text).numbers.map((number) => ({ phone: number, words })))
  }

  function refusalOf(text: string): string | undefined {
    const { numbers: typedNumbers } = parsePhone(text)
    const isRefused = ({ phone: number }: OptOut) =>
      typedNumbers.some((typedNumber) => isSameNumber(typedNumber, number))
    return refusedPhones.find(isRefused)?.words
  }

  return {
    phone,
    refuse,
    refusalOf,
    numbers,
    refusals,
    refused: refusedPhones,
    taken: takenNumbers,
  }
}

const isSameNumber = (typedNumber: string, otherTyped: string) => {
  const [digits, otherDigits] = [typedNumber, otherTyped].map((text) => text.replaceAll(/\D/g, ''))
  return digits?.slice(-10) === otherDigits?.slice(-10)
}

export type PhoneReader = ReturnType<typeof phoneReader>

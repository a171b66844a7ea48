import { validPhone } from '../lib/phone.ts'
import type { PlannedStudent } from './plan.ts'
import type { SheetRow } from './rows.ts'

/** A phone (E.164) that gets no texts, and the words in which the sheet says so: "Do Not Text: Yes". */
export type PhoneOptOut = { phone: string; words: string }

/**
 * The opt-outs that come along: those of the imported rows, and those that any other row of the sheet has for a phone that is
 * imported. A row's own is that of its student's phones and of the guardians whom it names, also of a number that the dojo has
 * had before, but not of a parent who has a row too, which says it for them.
 */
export function optOutsOf(
  students: readonly PlannedStudent[],
  rows: readonly SheetRow[],
): PhoneOptOut[] {
  const rowByNumber = new Map(rows.map((row) => [row.row, row]))
  const wordsOf = new Map<string, string>()
  const phones = new Set<string>()
  for (const student of students) {
    const namedGuardians = [...student.guardians, ...student.withheldGuardians]
    const answering = namedGuardians.filter(({ isStudent }) => !isStudent)
    const typedPhones = [
      student.person.phone_number,
      student.known?.student.phone_number ?? null,
      ...answering.map(({ phone }) => phone),
    ]
    const valid = typedPhones.map(validPhone).filter((phone) => phone !== null)
    for (const phone of valid) phones.add(phone)
    for (const number of student.rows) {
      const words = rowByNumber.get(number)?.rowOptOut
      if (words) for (const phone of valid) wordsOf.set(phone, words)
      for (const optOut of rowByNumber.get(number)?.optOuts ?? []) add(optOut)
    }
  }
  for (const { optOuts } of rows)
    for (const optOut of optOuts) if (phones.has(validPhone(optOut.phone) ?? '')) add(optOut)
  return [...wordsOf].map(([phone, words]) => ({ phone, words }))

  function add({ phone: typedPhone, words }: PhoneOptOut) {
    const phone = validPhone(typedPhone)
    if (phone !== null && !wordsOf.has(phone)) wordsOf.set(phone, words)
  }
}

import { validPhone } from '../lib/phone.ts'
import type { PlannedStudent } from './plan.ts'
import type { SheetRow } from './rows.ts'

export type PhoneOptOut = { phone: string; words: string }

/**
 * The opt-outs of the imported students, and those that other rows have for their phones. A row's
 * opt-out is also for its guardians, but not for a parent with a row of their own.
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

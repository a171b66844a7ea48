import { validPhone } from '../lib/phone.ts'
import type { PlannedStudent } from './plan.ts'
import type { SheetRow } from './rows.ts'

export type PhoneOptOut = { phone: string; quote: string }

/** A row's opt-out also applies to its guardians, but not to a parent who is a student, too. */
export function findOptOuts(
  students: readonly PlannedStudent[],
  rows: readonly SheetRow[],
): PhoneOptOut[] {
  const rowByNumber = new Map(rows.map((row) => [row.row, row]))
  const quoteByPhone = new Map<string, string>()
  const studentPhones = new Set<string>()
  for (const student of students) {
    const phones = listPhonesToOptOut(student)
    for (const phone of phones) studentPhones.add(phone)
    for (const rowNumber of student.rows) {
      const row = rowByNumber.get(rowNumber)
      if (row?.rowOptOut) for (const phone of phones) quoteByPhone.set(phone, row.rowOptOut)
      for (const optOut of row?.optOuts ?? []) addQuote(optOut)
    }
  }
  for (const optOut of rows.flatMap(({ optOuts }) => optOuts))
    if (studentPhones.has(validPhone(optOut.phone) ?? '')) addQuote(optOut)
  return [...quoteByPhone].map(([phone, quote]) => ({ phone, quote }))

  function addQuote({ phone: typedPhone, quote }: PhoneOptOut) {
    const phone = validPhone(typedPhone)
    if (phone !== null && !quoteByPhone.has(phone)) quoteByPhone.set(phone, quote)
  }
}

function listPhonesToOptOut(student: PlannedStudent): string[] {
  const guardians = [...student.guardians, ...student.withheldGuardians]
  const typedPhones = [
    student.person.phone_number,
    student.existing?.student.phone_number ?? null,
    ...guardians.filter(({ isStudent }) => !isStudent).map(({ phone }) => phone),
  ]
  return typedPhones.map(validPhone).filter((phone) => phone !== null)
}

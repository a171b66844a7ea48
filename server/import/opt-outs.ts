import { validPhone } from '../lib/phone.ts'
import type { PlannedStudent } from './plan.ts'
import type { SheetRow } from './rows.ts'

/** `quote` is the cell that says so, such as "Do Not Text: Yes". */
export type PhoneOptOut = { phone: string; quote: string }

/** An opt-out of a whole row also applies to its guardians, except guardians who are students. An
 *  opt-out in a row that is not imported counts if an imported student has the same phone. */
export function findOptOuts(
  students: readonly PlannedStudent[],
  rows: readonly SheetRow[],
): PhoneOptOut[] {
  const rowByNumber = new Map(rows.map((row) => [row.row, row]))
  const quoteByPhone = new Map<string, string>()
  const importedPhones = new Set<string>()
  for (const student of students) {
    const phones = listPhonesToOptOut(student)
    for (const phone of phones) importedPhones.add(phone)
    for (const rowNumber of student.rows) {
      const row = rowByNumber.get(rowNumber)
      if (!row) continue
      const { rowOptOut, optOuts } = row
      if (rowOptOut) for (const phone of phones) quoteByPhone.set(phone, rowOptOut)
      for (const optOut of optOuts) addOptOut(optOut)
    }
  }
  for (const optOut of rows.flatMap(({ optOuts }) => optOuts))
    if (importedPhones.has(validPhone(optOut.phone) ?? '')) addOptOut(optOut)
  return [...quoteByPhone].map(([phone, quote]) => ({ phone, quote }))

  function addOptOut({ phone: typedPhone, quote }: PhoneOptOut) {
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

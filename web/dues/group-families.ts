import { sumDollars } from '@tatami/contract/lib/money'
import type { GuardianSummary } from '@tatami/contract/guardians/guardians'
import type { Student } from '@tatami/contract/students/students'
import type { GetStudentMonth } from './use-payments.ts'

export type PayerGroup =
  | { payer: GuardianSummary; students: Student[] }
  | { payer: null; students: [Student] }

const findPayer = ({ guardians }: Student) => guardians.find(({ pays }) => pays)

/** Groups the students of each payer. A payer of only one student gets no group. */
export function groupFamilies(students: readonly Student[]): PayerGroup[] {
  const studentsByPayer = Map.groupBy(students, (student) => findPayer(student)?.id)
  return students.flatMap((student): PayerGroup[] => {
    const payer = findPayer(student)
    const family = (payer && studentsByPayer.get(payer.id)) ?? []
    if (!payer || family.length < 2) return [{ payer: null, students: [student] }]
    // A family is listed in the place of its first student.
    return family[0] === student ? [{ payer, students: family }] : []
  })
}

export function summarizeFamily(students: readonly Student[], getStudentMonth: GetStudentMonth) {
  const months = students.map((student) => ({ student, ...getStudentMonth(student) }))
  const unpaidMonths = months.filter(({ state }) => state === 'unpaid')
  const balances = months.flatMap(({ balance }) => balance ?? [])
  const owedSinceDays = balances
    .filter(({ owed }) => owed > 0)
    .flatMap(({ owed_since }) => owed_since ?? [])
  return {
    unpaidStudents: unpaidMonths.map(({ student }) => student),
    due: sumDollars(unpaidMonths.map(({ due }) => due)),
    fees: sumDollars(
      months.map(({ price, student }) => price?.amount ?? student.monthly_payment_amount ?? 0),
    ),
    balance: {
      owed: sumDollars(balances.map(({ owed }) => owed)),
      credit: sumDollars(balances.map(({ credit }) => credit)),
      owed_since: owedSinceDays.toSorted()[0] ?? null,
    },
  }
}

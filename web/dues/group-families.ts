import type { GuardianSummary } from '@tatami/contract/guardians/guardians'
import type { Student } from '@tatami/contract/students/students'

/** A row of the payment list: a student, or a payer with the students whom they pay for. */
export type Entry =
  | { payer: GuardianSummary; students: Student[] }
  | { payer: null; students: [Student] }

const payerOf = ({ guardians }: Student) => guardians.find(({ pays }) => pays)

/** Students of one payer stand together, where the first of them stood; a payer of one of them is no family. */
export function groupFamilies(students: readonly Student[]): Entry[] {
  const byPayer = Map.groupBy(students, (student) => payerOf(student)?.id)
  return students.flatMap((student): Entry[] => {
    const payer = payerOf(student)
    const family = payer ? byPayer.get(payer.id)! : [student]
    if (!payer || family.length < 2) return [{ payer: null, students: [student] }]
    return family[0] === student ? [{ payer, students: family }] : []
  })
}

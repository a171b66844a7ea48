import { ADULT_AGE, type Relation } from '@tatami/contract/guardians'
import { fold } from '@tatami/contract/import-values'
import { newId } from '../db/columns.ts'
import { hadBirthday } from '../families/ages.ts'
import type { RowOfFamily, SheetGuardian } from './families.ts'
import { type GuardianRow, type KnownDojo, phoneKey } from './known.ts'
import type { PlannedStudent } from './plan.ts'

/** A guardian of the sheet as they will be in the dojo. */
export type GuardianInPlan = {
  id: string
  name: string
  relation: Relation | null
  email: string | null
  phone: string | null
  /** Not a guardian of the dojo so far. */
  isNew: boolean
  /** Trains here, too: the guardian has the student's id, and log-in once there is one. */
  isStudent: boolean
  /** Trains or teaches here with a log-in, which becomes the guardian's as well. */
  hasAccount: boolean
  /** The rows of their students. */
  rows: number[]
}

/** Says of each guardian of the sheet who that is in the dojo, and gives the students theirs. Returns each once. */
export function resolveGuardians(
  students: PlannedStudent[],
  families: Map<number, RowOfFamily>,
  dojo: KnownDojo,
  today: string,
): GuardianInPlan[] {
  const studentOfRow = new Map(
    students.flatMap((student) => student.rows.map((row) => [row, student] as const)),
  )
  const resolved = new Map<SheetGuardian, GuardianInPlan>()
  const byId = new Map<string, GuardianInPlan>()
  for (const student of students)
    for (const row of student.rows)
      for (const guardian of families.get(row)!.guardians) {
        const found = resolved.get(guardian) ?? resolve(guardian, student)
        resolved.set(guardian, found)
        if (found.id === student.id || student.guardians.includes(found)) continue
        student.guardians.push(found)
        found.rows.push(row)
      }
  return [...byId.values()].filter(({ rows }) => rows.length > 0)

  function resolve(guardian: SheetGuardian, student: PlannedStudent): GuardianInPlan {
    const parent = guardian.isRow === null ? undefined : studentOfRow.get(guardian.isRow)
    const found = parent
      ? trainingParent(parent, guardian)
      : (knownGuardian(guardian, student) ?? newGuardian(guardian))
    const same = byId.get(found.id)
    if (same) return same
    byId.set(found.id, found)
    return found
  }

  function trainingParent(
    { id, known }: PlannedStudent,
    { name, relation, phone }: SheetGuardian,
  ): GuardianInPlan {
    const isNew = !dojo.guardianById.has(id)
    return {
      id,
      name,
      relation,
      email: null,
      phone,
      isNew,
      isStudent: true,
      hasAccount: known?.hasLogIn ?? false,
      rows: [],
    }
  }

  function knownGuardian(
    { name, email, phone, relation, isNamedAfterChild }: SheetGuardian,
    student: PlannedStudent,
  ): GuardianInPlan | null {
    const key = phoneKey(phone, name)
    const own = dojo.guardiansOf
      .get(student.id)
      ?.find((one) => fold(one.guardian.name) === fold(name))?.guardian
    const row =
      (email && dojo.guardianByEmail.get(email)) ||
      (key && dojo.guardianByPhone.get(key)) ||
      (isNamedAfterChild ? null : own)
    if (row) return inPlan(row, relation)
    const account = email ? dojo.accountByEmail.get(email) : undefined
    // Only accounts of the dojo are students or instructors of it; of others nothing is said.
    if (!account?.dojo_id || account.dojo_id !== dojo.id || account.role === 'guardian') return null
    // Many a child's log-in has the mother's email: a brother is no guardian.
    const birth = dojo.birthdays.get(account.id) ?? null
    if (account.role === 'student' && !hadBirthday(birth, ADULT_AGE, today, { unknown: false }))
      return null
    return {
      id: account.id,
      name,
      relation,
      email,
      phone,
      isNew: true,
      isStudent: true,
      hasAccount: true,
      rows: [],
    }
  }
}

const inPlan = (
  { id, name, email, phone }: GuardianRow,
  relation: Relation | null,
): GuardianInPlan => ({
  ...{ id, name, relation, email, phone, rows: [] },
  isNew: false,
  isStudent: false,
  hasAccount: false,
})

const newGuardian = ({ name, relation, email, phone }: SheetGuardian): GuardianInPlan => ({
  ...{ id: newId(), name, relation, email, phone, rows: [] },
  isNew: true,
  isStudent: false,
  hasAccount: false,
})

import { OWN_LOGIN_AGE } from '@tatami/contract/guardians/guardians'
import type { ImportRemark } from '@tatami/contract/import/import-plan'
import { hasReachedAge } from '../guardians/ages.ts'
import { type GuardianInPlan } from './guardians.ts'
import { type DojoRecords } from './dojo-records.ts'
import { type PlannedStudent } from './plan.ts'

export type Invitee = (
  | { student_id: string; guardian_id?: undefined }
  | { guardian_id: string; student_id?: undefined }
) & {
  email: string
}

const NO_DATE_OF_BIRTH = `Not invited: without a date of birth they may be under ${OWN_LOGIN_AGE}`

/** Invites people who have an email but no login or invitation, unless they may be under 13. */
export function chooseInvitees(
  students: PlannedStudent[],
  guardians: GuardianInPlan[],
  dojo: DojoRecords,
  today: string,
) {
  const invitedEmails = new Set(dojo.invitedEmails)
  const invitees: Invitee[] = []
  const refusals: ImportRemark[] = []
  const reserveEmail = (email: string, row: number | undefined, field: ImportRemark['field']) => {
    if (dojo.accountByEmail.has(email) && row !== undefined)
      refusals.push({
        row,
        field,
        message: 'Not invited: an account with this email already exists',
      })
    if (dojo.accountByEmail.has(email) || invitedEmails.has(email)) return false
    invitedEmails.add(email)
    return true
  }
  const currentStudents = students.filter(({ departure }) => departure === null)
  // Former students and their guardians are not invited.
  const currentRows = new Set(currentStudents.flatMap(({ rows }) => rows))
  const hasCurrentStudent = (rows: readonly number[]) => rows.some((row) => currentRows.has(row))
  const currentGuardians = guardians.filter(({ rows }) => hasCurrentStudent(rows))
  for (const { id, email, isNew, isStudent, rows } of currentGuardians)
    if (isNew && !isStudent && email !== null && reserveEmail(email, rows[0], 'guardian_email'))
      invitees.push({ guardian_id: id, email })
  for (const { id, existing, ownEmail, person, guardians: ownGuardians, rows } of currentStudents) {
    if (ownEmail === null || existing?.hasLogin || existing?.isInvited) continue
    const dateOfBirth = existing?.date_of_birth ?? person.date_of_birth
    if (!hasReachedAge(dateOfBirth, OWN_LOGIN_AGE, today, { unknown: true })) continue
    const hasGuardian = ownGuardians.length > 0 || dojo.guardiansByStudent.has(id)
    if (dateOfBirth === null && hasGuardian) {
      const [row] = rows
      if (row !== undefined)
        refusals.push({ row, field: 'date_of_birth', message: NO_DATE_OF_BIRTH })
      continue
    }
    if (reserveEmail(ownEmail, rows[0], 'email')) invitees.push({ student_id: id, email: ownEmail })
  }
  return { invitees, refusals }
}

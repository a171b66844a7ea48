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

const ACCOUNT_EXISTS = 'Not invited: an account with this email already exists'
const NO_DATE_OF_BIRTH = `Not invited: without a date of birth they may be under ${OWN_LOGIN_AGE}`

/** Chooses people who have an email but no login or invitation, unless they may be under 13. Each
 *  email gets one invitation. Former students and their guardians are not invited. */
export function chooseInvitees(
  students: PlannedStudent[],
  guardians: GuardianInPlan[],
  dojo: DojoRecords,
  today: string,
) {
  const invitedEmails = new Set(dojo.invitedEmails)
  const invitees: Invitee[] = []
  const invitationNotices: ImportRemark[] = []
  /** Returns false if the email already has an account or an invitation. */
  const reserveEmail = (email: string, row: number | undefined, field: ImportRemark['field']) => {
    const hasAccount = dojo.accountByEmail.has(email)
    if (hasAccount && row !== undefined)
      invitationNotices.push({ row, field, message: ACCOUNT_EXISTS })
    if (hasAccount || invitedEmails.has(email)) return false
    invitedEmails.add(email)
    return true
  }
  const currentStudents = students.filter(({ departure }) => departure === null)
  const currentRows = new Set(currentStudents.flatMap(({ rows }) => rows))
  const hasCurrentStudent = (rows: readonly number[]) => rows.some((row) => currentRows.has(row))
  const currentGuardians = guardians.filter(({ rows }) => hasCurrentStudent(rows))
  for (const { id, email, isNew, isStudent, rows } of currentGuardians)
    if (isNew && !isStudent && email !== null && reserveEmail(email, rows[0], 'guardian_email'))
      invitees.push({ guardian_id: id, email })
  for (const student of currentStudents) {
    const { id, existing, ownEmail, person } = student
    if (ownEmail === null || existing?.hasLogin || existing?.isInvited) continue
    const dateOfBirth = existing?.date_of_birth ?? person.date_of_birth
    if (!hasReachedAge(dateOfBirth, OWN_LOGIN_AGE, today, { unknown: true })) continue
    const [firstRow] = student.rows
    const hasGuardian = student.guardians.length > 0 || dojo.guardiansByStudent.has(id)
    // A student with a guardian is probably a child.
    if (dateOfBirth === null && hasGuardian) {
      if (firstRow !== undefined)
        invitationNotices.push({ row: firstRow, field: 'date_of_birth', message: NO_DATE_OF_BIRTH })
    } else if (reserveEmail(ownEmail, firstRow, 'email'))
      invitees.push({ student_id: id, email: ownEmail })
  }
  return { invitees, invitationNotices }
}

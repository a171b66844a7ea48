import { OWN_LOG_IN_AGE } from '@tatami/contract/guardians/guardians'
import type { ImportRemark } from '@tatami/contract/import/import-plan'
import { hadBirthday } from '../guardians/ages.ts'
import { type GuardianInPlan } from './guardians.ts'
import { type KnownDojo } from './known.ts'
import { type PlannedStudent } from './plan.ts'

export type Invitee = (
  | { student_id: string; guardian_id?: undefined }
  | { guardian_id: string; student_id?: undefined }
) & {
  email: string
}

const NO_DATE_OF_BIRTH = `Not invited: without a date of birth they may be under ${OWN_LOG_IN_AGE}`

/**
 * Whom to invite: everybody whose email has no login or open invitation yet, unless they are or may
 * be under 13.
 */
export function inviteesOf(
  students: PlannedStudent[],
  guardians: GuardianInPlan[],
  dojo: KnownDojo,
  today: string,
) {
  const invitedEmails = new Set(dojo.invitedEmails)
  const invitees: Invitee[] = []
  const refusals: ImportRemark[] = []
  const mayInvite = (email: string, row: number | undefined, field: ImportRemark['field']) => {
    if (dojo.accountByEmail.has(email) && row !== undefined)
      refusals.push({
        row,
        field,
        message: 'An account with this email exists already: no invitation',
      })
    if (dojo.accountByEmail.has(email) || invitedEmails.has(email)) return false
    invitedEmails.add(email)
    return true
  }
  for (const { id, email, isNew, isStudent, rows } of guardians)
    if (isNew && !isStudent && email !== null && mayInvite(email, rows[0], 'guardian_email'))
      invitees.push({ guardian_id: id, email })
  for (const { id, known, ownEmail, person, guardians: ownGuardians, rows } of students) {
    if (ownEmail === null || known?.hasLogIn || known?.isInvited) continue
    const dateOfBirth = known?.date_of_birth ?? person.date_of_birth
    if (!hadBirthday(dateOfBirth, OWN_LOG_IN_AGE, today, { unknown: true })) continue
    const hasGuardian = ownGuardians.length > 0 || dojo.guardiansOf.has(id)
    if (dateOfBirth === null && hasGuardian) {
      const [row] = rows
      if (row !== undefined)
        refusals.push({ row, field: 'date_of_birth', message: NO_DATE_OF_BIRTH })
      continue
    }
    if (mayInvite(ownEmail, rows[0], 'email')) invitees.push({ student_id: id, email: ownEmail })
  }
  return { invitees, refused: refusals }
}

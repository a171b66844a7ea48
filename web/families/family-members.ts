import type { Guardian, LoginChoice, Relation } from '@tatami/contract/guardians/guardians'

export type FamilyMember = {
  relation: Relation | null
  log_in: LoginChoice
}
export const NEW_MEMBER: FamilyMember = { relation: null, log_in: 'keep' }

type LinkedGuardian = Pick<Guardian, 'students'> | undefined

const linkTo = (guardian: LinkedGuardian, studentId: string) =>
  guardian?.students.find(({ student_id }) => student_id === studentId)

/** The suggested relation: the guardian's existing one, or else the one to their first student. */
export const relationTo = (guardian: LinkedGuardian, studentId: string): Relation =>
  linkTo(guardian, studentId)?.relation ?? guardian?.students[0]?.relation ?? 'mother'

/** The members for the API. An existing relation is only sent if the instructor changed it. */
export const membersForRequest = (
  guardian: LinkedGuardian,
  members: Record<string, FamilyMember>,
) =>
  Object.entries(members).map(([student_id, { relation, log_in }]) => {
    const isLinked = linkTo(guardian, student_id) !== undefined
    return {
      student_id,
      relation: relation ?? (isLinked ? undefined : relationTo(guardian, student_id)),
      log_in,
    }
  })

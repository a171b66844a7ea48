import type { Guardian, LoginChoice, Relation } from '@tatami/contract/guardians/guardians'

export type FamilyMember = {
  relation: Relation | null
  log_in: LoginChoice
}
export const NEW_MEMBER: FamilyMember = { relation: null, log_in: 'keep' }

type LinkedGuardian = Pick<Guardian, 'students'> | undefined

const findLink = (guardian: LinkedGuardian, studentId: string) =>
  guardian?.students.find(({ student_id }) => student_id === studentId)

/** Suggests the guardian's relation to this student or else to the guardian's first student. */
export const suggestRelation = (guardian: LinkedGuardian, studentId: string): Relation =>
  findLink(guardian, studentId)?.relation ?? guardian?.students[0]?.relation ?? 'mother'

/** Sends an existing relation only if the instructor changed it. */
export const toRequestMembers = (guardian: LinkedGuardian, members: Record<string, FamilyMember>) =>
  Object.entries(members).map(([student_id, { relation, log_in }]) => {
    const isLinked = findLink(guardian, student_id) !== undefined
    return {
      student_id,
      relation: relation ?? (isLinked ? undefined : suggestRelation(guardian, student_id)),
      log_in,
    }
  })

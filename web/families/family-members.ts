import type { Guardian, LogInChoice, Relation } from '@tatami/contract/guardians/guardians'

/** A student of the family that is about to be made. */
export type Member = {
  /** Null until one is chosen. */
  relation: Relation | null
  log_in: LogInChoice
}
export const NEW_MEMBER: Member = { relation: null, log_in: 'keep' }

type LinkedGuardian = Pick<Guardian, 'students'> | undefined

const linkTo = (guardian: LinkedGuardian, studentId: string) =>
  guardian?.students.find(({ student_id }) => student_id === studentId)

/** What the guardian is to the student until another relation is chosen: what they are already, else what they are to another student. */
export const relationTo = (guardian: LinkedGuardian, studentId: string): Relation =>
  linkTo(guardian, studentId)?.relation ?? guardian?.students[0]?.relation ?? 'mother'

/** The students as they are sent. A relation that is there already and was not changed is left out: making the family must not change it. */
export const membersToWire = (guardian: LinkedGuardian, members: Record<string, Member>) =>
  Object.entries(members).map(([student_id, { relation, log_in }]) => {
    const isLinked = linkTo(guardian, student_id) !== undefined
    return {
      student_id,
      relation: relation ?? (isLinked ? undefined : relationTo(guardian, student_id)),
      log_in,
    }
  })

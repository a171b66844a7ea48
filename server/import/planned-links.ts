import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import { hasReachedAge } from '../guardians/ages.ts'
import type { Plan, PlannedStudent } from './plan.ts'

/** One guardian pays unless the student already has a payer. Guardians do not see the page of an
 *  adult student, who can allow it later. */
export function planLinks(
  { person, guardians, payerId, existing }: PlannedStudent,
  { today }: Plan,
) {
  const birthday = existing?.date_of_birth ?? person.date_of_birth
  const isAdult = hasReachedAge(birthday, ADULT_AGE, today, { unknown: false })
  return guardians.map(({ id, relation }) => ({
    guardian_id: id,
    rights: {
      relation: relation ?? undefined,
      pays: id === payerId && !existing?.hasPayer,
      picks_up: true,
      ...(isAdult && { sees: false }),
    },
  }))
}

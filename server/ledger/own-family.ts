import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import { readStaffRules } from '../accounts/staff-rules.ts'
import { equalsAny } from '../db/bulk.ts'
import { byName } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { guardianships } from '../guardians/tables.ts'
import { Refusal } from '../lib/refusal.ts'
import { pluck } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import type { NewLine } from './ledger.ts'

/** Payments, write-offs and lower prices are negative lines, and a refund is a positive one.
 *  Credit only moves money that was taken before, and undoing a line takes the favor back. */
const isInFavorOfFamily = ({ kind, cents, reverses }: NewLine): boolean =>
  kind === 'refund' ? cents > 0 : kind !== 'credit' && cents < 0 && !reverses

/** 403 if staff would take a payment from their own family or forgive it something, in a school
 *  with that rule. `staffId` is null if the caller is not staff. */
export async function refuseOwnFamily(
  tx: Tx,
  staffId: string | null,
  lines: readonly NewLine[],
): Promise<void> {
  const studentIds = pluck(lines.filter(isInFavorOfFamily), 'student_id')
  if (staffId !== null) await refuseSelfOrOwnChildren(tx, staffId, studentIds)
}

/** 403 if one of the students is the staff member or their child, in a school with that rule. */
export async function refuseSelfOrOwnChildren(
  tx: Tx,
  staffId: string,
  studentIds: readonly string[],
): Promise<void> {
  if (studentIds.length === 0) return
  const ownChildren = tx
    .select({ id: guardianships.student_id })
    .from(guardianships)
    .where(and(eq(guardianships.guardian_id, staffId), isNull(guardianships.ended_at)))
  const isOwn = or(eq(students.id, staffId), inArray(students.id, ownChildren))
  const ownStudents = await tx
    .select({ name: students.name })
    .from(students)
    .where(and(equalsAny(students.id, [...new Set(studentIds)]), isOwn))
    .orderBy(...byName(students))
  if (ownStudents.length === 0 || !(await readStaffRules(tx)).refuses_own_family) return
  const names = pluck(ownStudents, 'name').join(', ')
  throw new Refusal(403, `Please ask somebody else. This is your own family: ${names}.`)
}

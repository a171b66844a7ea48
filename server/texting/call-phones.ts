import { and, asc, desc, eq, isNull } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import { byName } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { validPhone } from '../lib/phone.ts'
import { students } from '../students/tables.ts'

/** The number to call about each student: a guardian's, their own, or the emergency contact's. */
export async function callPhones(tx: Tx, studentIds: string[]): Promise<Map<string, string>> {
  if (studentIds.length === 0) return new Map()
  const rows = await tx
    .select({
      id: students.id,
      own: students.phone_number,
      emergency: students.emergency_contact_phone,
    })
    .from(students)
    .where(equalsAny(students.id, studentIds))
  const guardianRows = await tx
    .select({ student_id: guardianships.student_id, phone: guardians.phone })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(and(equalsAny(guardianships.student_id, studentIds), isNull(guardianships.ended_at)))
    .orderBy(
      asc(guardianships.emergency_rank),
      desc(guardianships.gets_texts),
      ...byName(guardians),
    )
  const guardiansOf = Map.groupBy(guardianRows, ({ student_id }) => student_id)
  const entries = rows.map(({ id, own, emergency }) => {
    const candidates = [...(guardiansOf.get(id) ?? []).map(({ phone }) => phone), own, emergency]
    const [valid] = candidates.flatMap((number) => validPhone(number) ?? [])
    return [id, valid ?? emergency] as const
  })
  return new Map(entries.flatMap(([id, phone]) => (phone ? [[id, phone] as const] : [])))
}

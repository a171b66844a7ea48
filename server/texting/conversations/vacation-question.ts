import { EVEN_ON_VACATION } from '@tatami/contract/texting/conversations'
import { and, eq } from 'drizzle-orm'
import { equalsAny } from '../../db/bulk.ts'
import { byName } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import { Refusal } from '../../lib/refusal.ts'
import { students } from '../../students/tables.ts'

export async function findNamesOnVacation(
  tx: Tx,
  studentIds: readonly string[],
): Promise<string[]> {
  const rows = await tx
    .select({ name: students.name })
    .from(students)
    .where(and(equalsAny(students.id, [...studentIds]), eq(students.on_vacation, true)))
    .orderBy(...byName(students))
  return rows.map(({ name }) => name)
}

export function createVacationQuestion(names: readonly string[]): Refusal {
  const subject =
    names.length === 1 ? `${names[0]} is on vacation` : `${names.length} of them are on vacation`
  const message = `${subject}, and students on vacation receive no messages. Send it anyway?`
  return new Refusal(409, message, { errors: [{ field: EVEN_ON_VACATION, message }] })
}

export async function requireVacationConfirmation(
  tx: Tx,
  studentIds: readonly string[],
  isConfirmed: boolean | null | undefined,
): Promise<void> {
  if (isConfirmed) return
  const names = await findNamesOnVacation(tx, studentIds)
  if (names.length > 0) throw createVacationQuestion(names)
}

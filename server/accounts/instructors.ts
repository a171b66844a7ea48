import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { validPhone } from '../lib/phone.ts'
import { pick, pluck } from '../lib/rows.ts'
import { instructors } from '../sensei/tables.ts'

export async function instructorIds(tx: Tx): Promise<string[]> {
  const rows = await tx.select({ id: instructors.id }).from(instructors)
  return pluck(rows, 'id')
}

export async function instructorName(tx: Tx, id: string): Promise<string> {
  const [instructor] = await tx
    .select({ name: instructors.name })
    .from(instructors)
    .where(eq(instructors.id, id))
  return instructor?.name ?? ''
}

/** Null if the number that the instructor entered is not valid. */
export async function instructorPhone(tx: Tx, id: string): Promise<string | null> {
  const [instructor] = await tx
    .select(pick(instructors, 'phone_number', 'contact_number'))
    .from(instructors)
    .where(eq(instructors.id, id))
  return validPhone(instructor?.phone_number ?? instructor?.contact_number ?? null)
}

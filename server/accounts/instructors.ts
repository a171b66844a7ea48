import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { pluck } from '../lib/rows.ts'
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

import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { instructors } from '../sensei/tables.ts'

export const instructorIds = async (tx: Tx): Promise<string[]> =>
  (await tx.select({ id: instructors.id }).from(instructors)).map(({ id }) => id)

export async function instructorName(tx: Tx, id: string): Promise<string> {
  const [instructor] = await tx
    .select({ name: instructors.name })
    .from(instructors)
    .where(eq(instructors.id, id))
  return instructor?.name ?? ''
}

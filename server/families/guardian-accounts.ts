import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { guardians } from '../guardians/tables.ts'

type Contact = { id: string; name: string; phone_number: string | null }

/** A student who is also a guardian has two records. If both had the same name or phone, this
 *  copies a change of the student's record to the guardian's record. */
export async function updateOwnGuardianRecord(
  tx: Tx,
  oldContact: Contact,
  { name, phone_number }: { name?: string; phone_number?: string | null },
): Promise<void> {
  const isOwnRecord = and(eq(guardians.id, oldContact.id), eq(guardians.account_id, oldContact.id))
  if (name !== undefined)
    await tx
      .update(guardians)
      .set({ name })
      .where(and(isOwnRecord, eq(guardians.name, oldContact.name)))
  if (phone_number !== undefined)
    await tx
      .update(guardians)
      .set({ phone: phone_number })
      .where(
        and(isOwnRecord, sql`${guardians.phone} is not distinct from ${oldContact.phone_number}`),
      )
}

import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { guardians } from '../guardians/tables.ts'

type Contact = { id: string; name: string; phone_number: string | null }

/** Copies a new name or phone to the person's guardian record, unless the record differed. */
export async function updateOwnGuardianRecord(
  tx: Tx,
  oldContact: Contact,
  { name, phone_number }: { name?: string; phone_number?: string | null },
): Promise<void> {
  const isOwnGuardian = and(
    eq(guardians.id, oldContact.id),
    eq(guardians.account_id, oldContact.id),
  )
  if (name !== undefined)
    await tx
      .update(guardians)
      .set({ name })
      .where(and(isOwnGuardian, eq(guardians.name, oldContact.name)))
  if (phone_number !== undefined)
    await tx
      .update(guardians)
      .set({ phone: phone_number })
      .where(
        and(isOwnGuardian, sql`${guardians.phone} is not distinct from ${oldContact.phone_number}`),
      )
}

import { eq } from 'drizzle-orm'
import { auditAction, NO_ACTOR_ID } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { notifyStaff } from '../notifications/notify.ts'
import type { SigningLink } from './links.ts'
import { signingLinks } from './tables.ts'

/** Tells the staff that a link reached the wrong person, and ends it. */
export async function revokeLink(
  tx: Tx,
  { id, dojo_id: dojoId, student_id }: SigningLink,
): Promise<void> {
  await tx.update(signingLinks).set({ revoked_at: nowIso() }).where(eq(signingLinks.id, id))
  await auditAction(
    tx,
    { id: NO_ACTOR_ID, dojoId },
    'signing link refused',
    student_id ? { subject_id: student_id } : {},
  )
  if (student_id)
    await notifyStaff(tx, dojoId, 'students.edit', {
      title: 'A link to sign reached the wrong person',
      message: 'Somebody said “Not my child”. The link no longer works. Please check the phone.',
      student_id,
    })
}

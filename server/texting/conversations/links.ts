import type { PhoneInfo } from '@tatami/contract/conversations'
import { and, eq, isNull } from 'drizzle-orm'
import { audit } from '../../audit/audit.ts'
import type { Tx } from '../../db/database.ts'
import type { Member } from '../../http/serve.ts'
import { notFound } from '../../lib/refusal.ts'
import { students } from '../../students/tables.ts'
import { incomingTexts } from '../tables.ts'
import { phoneInfo, requirePhone } from './conversations.ts'
import { phoneLinks } from './tables.ts'

type Link = { student_id: string; holder_name?: string | null | undefined }

/** Says that a number belongs to a student, so that its texts bear the name; it gets no texts to many by that. Again changes the name of
 *  who answers there. */
export async function linkPhone(tx: Tx, caller: Member, phone: string, { student_id, holder_name = null }: Link): Promise<PhoneInfo> {
  await requirePhone(tx, phone)
  const [student] = await tx.select({ id: students.id }).from(students).where(eq(students.id, student_id))
  if (!student) throw notFound('Student')
  await tx
    .insert(phoneLinks)
    .values({ phone, student_id, holder_name })
    .onConflictDoUpdate({ target: [phoneLinks.dojo_id, phoneLinks.phone, phoneLinks.student_id], set: { holder_name } })
  await tx
    .update(incomingTexts)
    .set({ student_id })
    .where(and(eq(incomingTexts.phone, phone), isNull(incomingTexts.student_id)))
  await audit(tx, { actor_id: caller.id, dojo_id: caller.dojoId, action: 'phone linked', subject_id: student_id })
  return phoneInfo(tx, phone)
}

/** Takes a link back; what came from the number keeps the student's name no longer. */
export async function unlinkPhone(tx: Tx, caller: Member, phone: string, studentId: string): Promise<PhoneInfo> {
  await requirePhone(tx, phone)
  const [link] = await tx
    .delete(phoneLinks)
    .where(and(eq(phoneLinks.phone, phone), eq(phoneLinks.student_id, studentId)))
    .returning({ phone: phoneLinks.phone })
  if (!link) throw notFound('Student')
  await tx
    .update(incomingTexts)
    .set({ student_id: null })
    .where(and(eq(incomingTexts.phone, phone), eq(incomingTexts.student_id, studentId)))
  await audit(tx, { actor_id: caller.id, dojo_id: caller.dojoId, action: 'phone unlinked', subject_id: studentId })
  return phoneInfo(tx, phone)
}

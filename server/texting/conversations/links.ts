import type { GuardianLinkForm, PhoneInfo } from '@tatami/contract/texting/phones'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { auditAction } from '../../audit/audit.ts'
import type { Tx } from '../../db/database.ts'
import { createGuardian, lockGuardian, requireStudent } from '../../guardians/guardians.ts'
import { guardianPhones, guardians, guardianships } from '../../guardians/tables.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { validPhone } from '../../lib/phone.ts'
import { notFound } from '../../lib/refusal.ts'
import { incomingTexts } from '../tables.ts'
import { findHoldersOfPhone } from '../phones.ts'
import { readPhoneInfo, requirePhone } from './conversations.ts'
import { phoneLinks } from './tables.ts'

type PhoneLink = { student_id: string; holder_name?: string | null | undefined }

/** Links an unknown number to a student. A linked number gets no group texts. */
export async function linkPhone(
  tx: Tx,
  caller: DojoCaller,
  phone: string,
  { student_id, holder_name = null }: PhoneLink,
): Promise<PhoneInfo> {
  await requirePhone(tx, phone)
  await requireStudent(tx, student_id)
  await tx
    .insert(phoneLinks)
    .values({ phone, student_id, holder_name })
    .onConflictDoUpdate({
      target: [phoneLinks.dojo_id, phoneLinks.phone, phoneLinks.student_id],
      set: { holder_name },
    })
  await tx
    .update(incomingTexts)
    .set({ student_id })
    .where(and(eq(incomingTexts.phone, phone), isNull(incomingTexts.student_id)))
  await auditAction(tx, caller, 'phone linked', { subject_id: student_id })
  return readPhoneInfo(tx, phone)
}

export async function unlinkPhone(
  tx: Tx,
  caller: DojoCaller,
  phone: string,
  studentId: string,
): Promise<PhoneInfo> {
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
  await auditAction(tx, caller, 'phone unlinked', { subject_id: studentId })
  return readPhoneInfo(tx, phone)
}

/** An existing guardian gets the phone as an additional number. A new guardian gets it as their
 *  own number. */
export async function linkPhoneToGuardian(
  tx: Tx,
  caller: DojoCaller,
  phone: string,
  { guardian_id, guardian }: GuardianLinkForm,
) {
  await requirePhone(tx, phone)
  if (guardian_id) await addPhoneToGuardian(tx, phone, guardian_id)
  const id =
    guardian_id ??
    (await addGuardianWithPhone(tx, caller, phone, mustExist(guardian, 'The new guardian')))
  const [firstHolder] = await findHoldersOfPhone(tx, phone)
  if (firstHolder)
    await tx
      .update(incomingTexts)
      .set({ student_id: firstHolder.student_id })
      .where(and(eq(incomingTexts.phone, phone), isNull(incomingTexts.student_id)))
  await auditAction(tx, caller, 'phone linked', { subject_id: id })
  return { phone: await readPhoneInfo(tx, phone), guardian_id: id }
}

async function addPhoneToGuardian(tx: Tx, phone: string, guardian_id: string): Promise<void> {
  const { phone: ownPhone } = await lockGuardian(tx, guardian_id)
  if (validPhone(ownPhone) === phone) return
  await tx.insert(guardianPhones).values({ phone, guardian_id }).onConflictDoNothing()
}

type NewGuardianForm = NonNullable<GuardianLinkForm['guardian']>

async function addGuardianWithPhone(
  tx: Tx,
  caller: DojoCaller,
  phone: string,
  { name, relation, student_ids }: NewGuardianForm,
) {
  const links = student_ids.map((student_id) => ({ student_id, relation }))
  return (await createGuardian(tx, caller, { name, phone, students: links })).id
}

/** Afterwards, texts from the phone appear under another of its students, or without a name. */
export async function unlinkPhoneFromGuardian(
  tx: Tx,
  caller: DojoCaller,
  phone: string,
  guardianId: string,
): Promise<PhoneInfo> {
  await requirePhone(tx, phone)
  const { phone: ownPhone } = await lockGuardian(tx, guardianId)
  const deletedLinks = await tx
    .delete(guardianPhones)
    .where(and(eq(guardianPhones.phone, phone), eq(guardianPhones.guardian_id, guardianId)))
    .returning({ phone: guardianPhones.phone })
  if (validPhone(ownPhone) === phone)
    await tx.update(guardians).set({ phone: null }).where(eq(guardians.id, guardianId))
  else if (deletedLinks.length === 0) throw notFound('Guardian')
  const studentsOfGuardian = tx
    .select({ id: guardianships.student_id })
    .from(guardianships)
    .where(eq(guardianships.guardian_id, guardianId))
  const [otherHolder] = await findHoldersOfPhone(tx, phone)
  await tx
    .update(incomingTexts)
    .set({ student_id: otherHolder?.student_id ?? null })
    .where(
      and(eq(incomingTexts.phone, phone), inArray(incomingTexts.student_id, studentsOfGuardian)),
    )
  await auditAction(tx, caller, 'phone unlinked', { subject_id: guardianId })
  return readPhoneInfo(tx, phone)
}

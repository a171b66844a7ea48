import { birthdayOf, addDays } from '@tatami/contract/lib/calendar-day'
import type { Agreement, ContactChange, OwnGuardians } from '@tatami/contract/families/family-home'
import { ADULT_AGE, ADULTHOOD_NOTICE_DAYS } from '@tatami/contract/guardians/guardians'
import { and, asc, eq } from 'drizzle-orm'
import { hasLeft } from '../accounts/child-logins.ts'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'
import { omitUndefined, isActiveLink, isLinkBetween } from '../guardians/guardian-records.ts'
import { WITHDRAWN_CONSENT } from '../guardians/guardianships.ts'
import { endLostAccess } from '../guardians/lost-access.ts'
import { findHiddenPhones } from '../guardians/hidden-phones.ts'
import { guardians, guardianships } from '../guardians/tables.ts'

async function findOwnLink(tx: Tx, { id }: DojoCaller, studentId: string) {
  const [link] = await tx
    .select()
    .from(guardianships)
    .where(and(isLinkBetween(id, studentId), isActiveLink, eq(guardianships.sees, true)))
  if (!link || (await hasLeft(tx, studentId))) throw notFound('Student')
  return link
}

export async function changeChildContact(
  tx: Tx,
  caller: DojoCaller,
  studentId: string,
  change: ContactChange,
): Promise<void> {
  const link = await findOwnLink(tx, caller, studentId)
  if (!link.may_edit) throw new Refusal(403, 'You are not allowed to do this.')
  // A field that the guardian may not see is empty in the form, but must not be cleared.
  const hiddenPhones = (await findHiddenPhones(tx, caller.id, [studentId])).get(studentId)
  const { phone_number, emergency_contact_name, emergency_contact_phone } = change
  const isPhoneKept = hiddenPhones?.phone_number && !phone_number
  const isContactKept =
    hiddenPhones?.emergency_contact && !emergency_contact_name && !emergency_contact_phone
  const sentFields = {
    ...(!isPhoneKept && { phone_number }),
    ...(!isContactKept && { emergency_contact_name, emergency_contact_phone }),
  }
  const changedFields = omitUndefined(sentFields)
  if (Object.keys(changedFields).length === 0) return
  await tx.update(students).set(changedFields).where(eq(students.id, studentId))
  await auditAction(tx, caller, 'contact changed by guardian', { subject_id: studentId })
}

/** `adultOn` is null until the birthday is announced. Until then, a parent may be using the child's
 *  login and must not learn about other guardians. */
async function readAdulthood(tx: Tx, { id, dojoId }: DojoCaller) {
  const [student] = await tx
    .select({ date_of_birth: students.date_of_birth })
    .from(students)
    .where(eq(students.id, id))
  const today = await todayOf(tx, dojoId)
  const lastAnnouncedDay = addDays(today, ADULTHOOD_NOTICE_DAYS)
  const adultDay = student?.date_of_birth ? birthdayOf(student.date_of_birth, ADULT_AGE) : null
  const isAnnounced = adultDay !== null && adultDay <= lastAnnouncedDay
  return { adultOn: isAnnounced ? adultDay : null, isAdult: isAnnounced && adultDay <= today }
}

export async function listOwnGuardians(tx: Tx, caller: DojoCaller): Promise<OwnGuardians> {
  const { adultOn, isAdult } = await readAdulthood(tx, caller)
  if (adultOn === null) return { adult_on: null, is_adult: false, guardians: [] }
  const { sees, sees_fees, may_edit, pays, relation, agrees_to_fees, agrees_to_edit, agreed_at } =
    guardianships
  const rows = await tx
    .select({
      id: guardians.id,
      name: guardians.name,
      sees,
      sees_fees,
      may_edit,
      pays,
      relation,
      agrees_to_fees,
      agrees_to_edit,
      agreed_at,
    })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(and(eq(guardianships.student_id, caller.id), isActiveLink))
    .orderBy(asc(guardians.name), asc(guardians.id))
  return {
    adult_on: adultOn,
    is_adult: isAdult,
    guardians: rows.map((row) => ({ ...row, is_agreed: row.agreed_at !== null })),
  }
}

/** Stores whether the student agrees to the guardian's access. If an adult student does not agree,
 *  the rights end immediately, and only an instructor can restore them. */
export async function agreeToGuardian(
  tx: Tx,
  caller: DojoCaller,
  guardianId: string,
  agreement: Agreement,
): Promise<void> {
  const { adultOn, isAdult } = await readAdulthood(tx, caller)
  if (adultOn === null) throw notFound('Guardian')
  const { is_agreed, agrees_to_fees = true, agrees_to_edit = true } = agreement
  const updatedLinks = await tx
    .update(guardianships)
    .set({
      agreed_at: is_agreed ? nowIso() : null,
      agrees_to_fees,
      agrees_to_edit,
      ...(isAdult && !is_agreed && { sees: false, ...WITHDRAWN_CONSENT }),
      ...(isAdult && !(is_agreed && agrees_to_fees) && { sees_fees: false }),
      ...(isAdult && !(is_agreed && agrees_to_edit) && { may_edit: false }),
    })
    .where(and(isLinkBetween(guardianId, caller.id), isActiveLink))
    .returning({ id: guardianships.guardian_id })
  if (updatedLinks.length === 0) throw notFound('Guardian')
  await endLostAccess(tx, caller.dojoId, [caller.id])
  await auditAction(tx, caller, 'guardian agreed to by student', {
    subject_id: guardianId,
    details: {
      agreed: is_agreed,
      fees: is_agreed && agrees_to_fees,
      edit: is_agreed && agrees_to_edit,
    },
  })
}

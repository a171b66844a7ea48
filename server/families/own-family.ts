import type { ContactChange } from '@tatami/contract/family-home'
import { and, asc, eq } from 'drizzle-orm'
import { audit } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import { ADULT_AGE } from '@tatami/contract/guardians'
import type { Member } from '../http/serve.ts'
import { DAY_MS, nowIso } from '../lib/clock.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'
import { hadBirthday } from './ages.ts'
import { DAYS_ANNOUNCED } from './adulthood.ts'
import { isLive, linkOf } from './guardians.ts'
import { contactsOfOtherGuardians } from './emergency-contacts.ts'
import { guardians, guardianships } from './tables.ts'

/** The caller's live link to a student whom they see; 404 for anybody else's. */
async function ownLink(tx: Tx, { id }: Member, studentId: string) {
  const [link] = await tx
    .select()
    .from(guardianships)
    .where(and(linkOf(id, studentId), isLive, eq(guardianships.sees, true)))
  if (!link) throw notFound('Student')
  return link
}

/** A guardian with the right to edit changes a child's phone and emergency contact; what is left out stays. */
export async function changeChildsContact(tx: Tx, caller: Member, studentId: string, change: ContactChange): Promise<void> {
  const link = await ownLink(tx, caller, studentId)
  if (!link.may_edit) throw new Refusal(403, 'You are not allowed to do this.')
  const isContactGone = !change.emergency_contact_name && !change.emergency_contact_phone
  // Another guardian, whom this one is not shown, is not deleted by the empty fields.
  const isKept = isContactGone && (await contactsOfOtherGuardians(tx, caller.id, [studentId])).has(studentId)
  const sent = isKept ? { phone_number: change.phone_number } : change
  const changed = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
  if (Object.keys(changed).length === 0) return
  await tx.update(students).set(changed).where(eq(students.id, studentId))
  await audit(tx, { actor_id: caller.id, dojo_id: caller.dojoId, action: 'contact changed by guardian', subject_id: studentId })
}

export async function allowLogIn(tx: Tx, caller: Member, studentId: string, isAllowed: boolean): Promise<void> {
  await ownLink(tx, caller, studentId)
  await tx.update(guardianships).set({ allows_log_in: isAllowed }).where(linkOf(caller.id, studentId))
  await audit(tx, {
    actor_id: caller.id,
    dojo_id: caller.dojoId,
    action: 'log-in allowed by guardian',
    subject_id: studentId,
    details: { allowed: isAllowed },
  })
}

/** Of guardians a student is told from the day on which their coming of age is announced: most children's log-ins are a parent's, and
 *  guardians do not learn of each other. */
async function comesOfAge(tx: Tx, { id, dojoId }: Member): Promise<{ isTold: boolean; isAdult: boolean }> {
  const [student] = await tx.select({ born: students.date_of_birth }).from(students).where(eq(students.id, id))
  const today = todayIn((await dojoById(tx, dojoId)).time_zone)
  const announced = new Date(Date.parse(`${today}T00:00Z`) + DAYS_ANNOUNCED * DAY_MS).toISOString().slice(0, 10)
  const isOfAgeOn = (day: string) => hadBirthday(student?.born ?? null, ADULT_AGE, day, { unknown: false })
  return { isTold: isOfAgeOn(announced), isAdult: isOfAgeOn(today) }
}

/** The guardians of a student who comes of age within 30 days, or has; nobody for a younger one. */
export async function guardiansOfStudent(tx: Tx, caller: Member) {
  if (!(await comesOfAge(tx, caller)).isTold) return []
  const rows = await tx
    .select({
      id: guardians.id,
      name: guardians.name,
      relation: guardianships.relation,
      sees: guardianships.sees,
      agreed_at: guardianships.agreed_at,
    })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(and(eq(guardianships.student_id, caller.id), isLive))
    .orderBy(asc(guardians.name), asc(guardians.id))
  return rows.map(({ agreed_at, ...row }) => ({ ...row, is_agreed: agreed_at !== null }))
}

/** A student who comes of age lets a guardian go on seeing, or not. An adult's no ends it at once; only an instructor brings it back. */
export async function agreeToGuardian(tx: Tx, caller: Member, guardianId: string, isAgreed: boolean): Promise<void> {
  const { isTold, isAdult } = await comesOfAge(tx, caller)
  if (!isTold) throw notFound('Guardian')
  const ended = isAdult && !isAgreed ? { sees: false, sees_fees: false, may_edit: false } : {}
  const changed = await tx
    .update(guardianships)
    .set({ agreed_at: isAgreed ? nowIso() : null, ...ended })
    .where(and(linkOf(guardianId, caller.id), isLive))
    .returning({ id: guardianships.guardian_id })
  if (changed.length === 0) throw notFound('Guardian')
  await audit(tx, {
    actor_id: caller.id,
    dojo_id: caller.dojoId,
    action: 'guardian agreed to by student',
    subject_id: guardianId,
    details: { agreed: isAgreed },
  })
}

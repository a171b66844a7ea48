import { type FamilyForm, OWN_LOG_IN_AGE } from '@tatami/contract/families'
import { and, eq } from 'drizzle-orm'
import { hasSignedIn } from '../accounts/move-account.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import { validPhone } from '../lib/phone.ts'
import { notFound } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'
import { hadBirthday } from './ages.ts'
import { isLive } from './guardians.ts'
import { guardians, guardianships } from './tables.ts'

type PreviewedStudent = { phone: string | null; isUnderAge: boolean; guardianPhones: string[] }

/** How many texts one message about these students takes: one for each phone. A child's own counts only where no guardian has one. */
function countTexts(all: PreviewedStudent[]): number {
  const phones = all.flatMap(({ phone, isUnderAge, guardianPhones }) =>
    phone === null || (isUnderAge && guardianPhones.length > 0) ? guardianPhones : [phone, ...guardianPhones],
  )
  return new Set(phones).size
}

/** How many texts and log-ins these students take now, and would take as the form's family. Nothing is changed. */
export async function previewFamily(tx: Tx, dojoId: string, form: FamilyForm) {
  const ids = form.students.map(({ student_id }) => student_id)
  const rows = await tx.select().from(students).where(equalsAny(students.id, ids))
  if (rows.length < ids.length) throw notFound('Student')
  const [chosen] = form.guardian_id ? await tx.select().from(guardians).where(eq(guardians.id, form.guardian_id)) : [form.guardian]
  if (!chosen) throw notFound('Guardian')
  const links = await tx
    .select({ student_id: guardianships.student_id, id: guardians.id, account_id: guardians.account_id, phone: guardians.phone, gets_texts: guardianships.gets_texts })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(and(equalsAny(guardianships.student_id, ids), isLive))
  const today = todayIn((await dojoById(tx, dojoId)).time_zone)
  const phonesOf = (studentId: string) =>
    links.flatMap(({ student_id, gets_texts, phone }) => (student_id === studentId && gets_texts ? (validPhone(phone) ?? []) : []))
  const before = rows.map(({ id, phone_number, date_of_birth }): PreviewedStudent => ({
    phone: validPhone(phone_number),
    isUnderAge: !hadBirthday(date_of_birth, OWN_LOG_IN_AGE, today, { unknown: true }),
    guardianPhones: phonesOf(id),
  }))
  const guardianPhone = form.gets_texts === false ? null : validPhone(chosen.phone ?? null)
  const after = before.map((one) => ({ ...one, guardianPhones: guardianPhone ? [...one.guardianPhones, guardianPhone] : one.guardianPhones }))
  const guardianAccounts = new Set(links.flatMap(({ account_id }) => account_id ?? []))
  const ownLogIns = rows.filter(({ email }) => email !== null).map(({ id }) => id)
  const kept = form.students.filter(({ student_id, log_in = 'keep' }) => log_in === 'keep' && ownLogIns.includes(student_id))
  const accountId = 'account_id' in chosen ? chosen.account_id : null
  const isMoved = form.students.some(({ log_in }) => log_in === 'move')
  const getsLogIn = accountId !== null || isMoved || Boolean(chosen.email)
  const withGuardian = new Set([...guardianAccounts, ...(getsLogIn ? [form.guardian_id ?? 'new'] : [])])
  const moved = form.students.find(({ log_in }) => log_in === 'move')?.student_id
  const signedIn = accountId ?? moved
  return {
    before: { texts: countTexts(before), log_ins: ownLogIns.length + guardianAccounts.size },
    after: { texts: countTexts(after), log_ins: kept.length + withGuardian.size },
    closes_at_once: signedIn ? await hasSignedIn(tx, signedIn) : false,
  }
}

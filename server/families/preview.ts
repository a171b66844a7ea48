import type { FamilyForm } from '@tatami/contract/families/families'
import { OWN_LOGIN_AGE } from '@tatami/contract/guardians/guardians'
import { and, eq } from 'drizzle-orm'
import { hasSignedIn } from '../accounts/move-account.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { notFound } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'
import { hasReachedAge } from '../guardians/ages.ts'
import { isActiveLink } from '../guardians/guardian-records.ts'
import { findTextedPhones } from '../guardians/texted-phones.ts'
import { guardians, guardianships } from '../guardians/tables.ts'

type StudentRow = typeof students.$inferSelect
type Link = {
  student_id: string
  guardian_id: string
  account_id: string | null
  phone: string | null
  gets_texts: boolean
}

const findActiveLinks = (tx: Tx, studentIds: string[]): Promise<Link[]> =>
  tx
    .select({
      student_id: guardianships.student_id,
      guardian_id: guardians.id,
      account_id: guardians.account_id,
      phone: guardians.phone,
      gets_texts: guardianships.gets_texts,
    })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(and(equalsAny(guardianships.student_id, studentIds), isActiveLink))

async function findFormGuardian(tx: Tx, { guardian_id, guardian }: FamilyForm) {
  if (!guardian_id)
    return { account_id: null, phone: guardian?.phone ?? null, email: guardian?.email ?? null }
  const [guardianRow] = await tx.select().from(guardians).where(eq(guardians.id, guardian_id))
  if (!guardianRow) throw notFound('Guardian')
  return guardianRow
}

/** Counts the phones that get a text about classes. The count does not depend on the guardians'
 *  names or on who pays. */
function countTexts(studentRows: StudentRow[], links: Link[], today: string): number {
  const textedPhones = studentRows.flatMap(({ id, phone_number, date_of_birth }) =>
    findTextedPhones('classes', {
      typedPhone: phone_number,
      isUnderAge: !hasReachedAge(date_of_birth, OWN_LOGIN_AGE, today, { unknown: true }),
      guardians: links
        .filter(({ student_id }) => student_id === id)
        .map(({ phone, gets_texts }) => ({ name: '', typedPhone: phone, gets_texts, pays: false })),
    }),
  )
  return new Set(textedPhones.map(({ phone }) => phone)).size
}

const countGuardianLogins = (links: Link[]): number =>
  new Set(links.flatMap(({ account_id }) => account_id ?? [])).size

/** Counts texts and logins before and after the family is made. */
export async function previewFamily(tx: Tx, dojoId: string, form: FamilyForm) {
  const ids = form.students.map(({ student_id }) => student_id)
  const studentRows = await tx.select().from(students).where(equalsAny(students.id, ids))
  if (studentRows.length < ids.length) throw notFound('Student')
  const formGuardian = await findFormGuardian(tx, form)
  const links = await findActiveLinks(tx, ids)
  const today = await todayOf(tx, dojoId)
  const guardian_id = form.guardian_id ?? 'new'
  const newLinks = ids.map((student_id) => {
    const previousLink = links.find(
      (link) => link.guardian_id === guardian_id && link.student_id === student_id,
    )
    return {
      ...formGuardian,
      student_id,
      guardian_id,
      gets_texts: form.gets_texts ?? previousLink?.gets_texts ?? true,
    }
  })
  const futureLinks = [...links.filter((link) => link.guardian_id !== guardian_id), ...newLinks]
  const idsWithLogin = new Set(studentRows.flatMap(({ id, email }) => (email === null ? [] : [id])))
  const movedStudentId = form.students.find(({ log_in }) => log_in === 'move')?.student_id
  const keptLogins = form.students.filter(
    ({ student_id, log_in = 'keep' }) => log_in === 'keep' && idsWithLogin.has(student_id),
  )
  const guardianGetsLogin =
    formGuardian.account_id === null &&
    (movedStudentId !== undefined || formGuardian.email !== null)
  const futureAccountId = formGuardian.account_id ?? movedStudentId
  return {
    before: {
      texts: countTexts(studentRows, links, today),
      log_ins: idsWithLogin.size + countGuardianLogins(links),
    },
    after: {
      texts: countTexts(studentRows, futureLinks, today),
      log_ins: keptLogins.length + countGuardianLogins(futureLinks) + (guardianGetsLogin ? 1 : 0),
    },
    closes_at_once: futureAccountId !== undefined && (await hasSignedIn(tx, futureAccountId)),
  }
}

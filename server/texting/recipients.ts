import { and, asc, eq, inArray, not, sql } from 'drizzle-orm'
import { unknownClasses } from '../classes/classes.ts'
import type { Tx } from '../db/database.ts'
import { notFound } from '../lib/refusal.ts'
import { optedOutAmong } from './opt-outs.ts'
import { validPhone } from './phones.ts'
import { badPhones } from './tables.ts'
import { unpaidIn } from '../payments/tables.ts'
import { enrolments, students } from '../students/tables.ts'
import { type Outcome, outcomeFor } from './outcome.ts'

/** Who is meant: the classes (null for all), and whether those on trial or paid for the month are left out. */
export type Meant = { classIds: string[] | null; month: { month: number; year: number }; withoutTrial: boolean; withoutPaid: boolean }
/** A student, with the number that a text would go to, or why none goes. */
export type Weighed = { id: string; name: string } & Outcome

/** Weighs every student of the dojo, by name: the one place that decides who gets a text. */
export async function weighStudents(tx: Tx, meant: Meant): Promise<Weighed[]> {
  const { classIds, month } = meant
  if (classIds && (await unknownClasses(tx, classIds)).length > 0) throw notFound('Class')
  const inClass = classIds
    ? inArray(students.id, tx.select({ id: enrolments.student_id }).from(enrolments).where(inArray(enrolments.class_id, classIds)))
    : sql`true`
  const rows = await tx
    .select({
      id: students.id,
      name: students.name,
      typed: students.phone_number,
      isTrial: students.is_trial,
      onVacation: students.on_vacation,
      isMeant: sql<boolean>`${inClass}`,
      hasPaid: sql<boolean>`${not(unpaidIn(month))}`,
      bad: sql<
        string[]
      >`array(select ${badPhones.phone} from ${badPhones} where ${and(eq(badPhones.dojo_id, students.dojo_id), eq(badPhones.student_id, students.id))})`,
    })
    .from(students)
    .orderBy(asc(sql`lower(${students.name})`), asc(students.id))
  const phones = new Map(rows.map(({ id, typed, bad }) => [id, usable(typed, bad)]))
  const optedOut = await optedOutAmong(
    tx,
    [...phones.values()].filter((phone) => phone !== null),
  )
  return rows.map(({ id, name, ...student }) => {
    const phone = phones.get(id) ?? null
    return { id, name, ...outcomeFor({ ...student, phone, isOptedOut: phone !== null && optedOut.has(phone) }, meant) }
  })
}

function usable(typed: string | null, bad: string[]): string | null {
  const phone = validPhone(typed)
  return phone && !bad.includes(phone) ? phone : null
}

/** Those whom the words are meant for, before phones and opt-outs thin them out: they get them in the app. */
export const isMeantFor = ({ reason }: Weighed): boolean => reason === null || reason === 'no_valid_phone' || reason === 'opted_out'

import type { Holder } from '@tatami/contract/texting/phones'
import { OWN_LOG_IN_AGE } from '@tatami/contract/guardians/guardians'
import { and, asc, eq, or, type SQL, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { dojos } from '../dojos/tables.ts'
import {
  isLive,
  phonesReached,
  type ReachedPhone,
  type TextedGuardian,
  type Topic,
} from '../guardians/guardians.ts'
import {
  guardianPhones,
  guardianPhoneEnding,
  guardians,
  guardianships,
} from '../guardians/tables.ts'
import { nowIso } from '../lib/clock.ts'
import { validPhone } from '../lib/phone.ts'
import { phoneEnding, students } from '../students/tables.ts'
import { phoneLinks } from './conversations/tables.ts'

export const isUnderAge = () =>
  sql<boolean>`coalesce(${students.date_of_birth} + ${OWN_LOG_IN_AGE} * interval '1 year' > ${nowIso()}::timestamptz at time zone
    (select d.time_zone from ${dojos} d where d.id = current_setting('app.dojo_id')::uuid), false)`

export async function guardiansToText(
  tx: Tx,
  ids?: readonly string[],
): Promise<Map<string, TextedGuardian[]>> {
  const rows = await tx
    .select({
      student_id: guardianships.student_id,
      name: guardians.name,
      typed: guardians.phone,
      gets_texts: guardianships.gets_texts,
      pays: guardianships.pays,
    })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(
      and(
        isLive,
        or(eq(guardianships.gets_texts, true), eq(guardianships.pays, true)),
        ids && equalsAny(guardianships.student_id, [...ids]),
      ),
    )
    .orderBy(asc(sql`lower(${guardians.name})`), asc(guardians.id))
  return Map.groupBy(rows, ({ student_id }) => student_id)
}

export async function phonesOfStudents(
  tx: Tx,
  topic: Topic,
  ids: readonly string[],
): Promise<Map<string, ReachedPhone[]>> {
  const rows = await tx
    .select({ id: students.id, typed: students.phone_number, isUnderAge: isUnderAge() })
    .from(students)
    .where(equalsAny(students.id, [...ids]))
  const guardiansOf = await guardiansToText(tx, ids)
  return new Map(
    rows.map(({ id, ...student }) => [
      id,
      phonesReached(topic, { ...student, guardians: guardiansOf.get(id) ?? [] }),
    ]),
  )
}

const LAST_DIGITS = 7
/** Phones are stored as typed, so the last digits narrow the search before each is parsed. */
export const mayBePhone = (ending: SQL, phones: readonly string[]): SQL =>
  sql`${ending} = any(${sql.param(phones.map((phone) => phone.slice(-LAST_DIGITS)))})`

type HolderOptions = {
  /** Without guardians from whom the student is hidden. */
  mayAct?: boolean
}

export async function holdersOf(
  tx: Tx,
  phones: readonly string[],
  { mayAct = false }: HolderOptions = {},
): Promise<Map<string, Holder[]>> {
  const student = { student_id: students.id, name: students.name }
  const byName = [asc(sql`lower(${students.name})`), asc(students.id)]
  const ofGuardians = await tx
    .select({ ...student, typed: guardians.phone, holder_name: guardians.name })
    .from(guardians)
    .innerJoin(guardianships, eq(guardianships.guardian_id, guardians.id))
    .innerJoin(students, eq(students.id, guardianships.student_id))
    .where(
      and(
        mayBePhone(guardianPhoneEnding, phones),
        isLive,
        mayAct ? eq(guardianships.sees, true) : undefined,
      ),
    )
    .orderBy(...byName)
  const byFurtherPhone = await tx
    .select({ ...student, phone: guardianPhones.phone, holder_name: guardians.name })
    .from(guardianPhones)
    .innerJoin(guardians, eq(guardians.id, guardianPhones.guardian_id))
    .innerJoin(guardianships, eq(guardianships.guardian_id, guardians.id))
    .innerJoin(students, eq(students.id, guardianships.student_id))
    .where(
      and(
        equalsAny(guardianPhones.phone, [...phones]),
        isLive,
        mayAct ? eq(guardianships.sees, true) : undefined,
      ),
    )
    .orderBy(...byName)
  const ownPhones = await tx
    .select({ ...student, typed: students.phone_number })
    .from(students)
    .where(mayBePhone(phoneEnding, phones))
    .orderBy(...byName)
  const linkedPhones = await tx
    .select({ ...student, phone: phoneLinks.phone, holder_name: phoneLinks.holder_name })
    .from(phoneLinks)
    .innerJoin(students, eq(students.id, phoneLinks.student_id))
    .where(equalsAny(phoneLinks.phone, [...phones]))
    .orderBy(...byName)
  const phoneRows = [
    ...ofGuardians.map(({ typed, ...row }) => ({
      phone: validPhone(typed),
      ...row,
      holder: 'guardian' as const,
    })),
    ...byFurtherPhone.map((row) => ({ ...row, holder: 'guardian' as const })),
    ...ownPhones.map(({ typed, ...row }) => ({
      phone: validPhone(typed),
      ...row,
      holder: 'student' as const,
      holder_name: null,
    })),
    ...linkedPhones.map((row) => ({ ...row, holder: 'linked' as const })),
  ]
  const holders = new Map<string, Holder[]>()
  for (const { phone, ...holder } of phoneRows) {
    if (phone === null || !phones.includes(phone)) continue
    const phoneHolders = holders.get(phone) ?? []
    if (!phoneHolders.some(({ student_id }) => student_id === holder.student_id))
      holders.set(phone, [...phoneHolders, holder])
  }
  return holders
}

export const holdersOfPhone = async (
  tx: Tx,
  phone: string,
  options: HolderOptions = {},
): Promise<Holder[]> => (await holdersOf(tx, [phone], options)).get(phone) ?? []

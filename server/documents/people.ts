/** The people who may need documents: students, and visitors who are not students yet. */
import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import { and, asc, eq, exists, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { hasReachedAge } from '../guardians/ages.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { notFound } from '../lib/refusal.ts'
import { pluck } from '../lib/rows.ts'
import { subscriptions } from '../plans/tables.ts'
import { enrolledOn, isCurrentStudent, students } from '../students/tables.ts'
import { documentVisitors } from './tables.ts'

export type PersonGuardian = {
  guardian_id: string
  student_id: string
  name: string
  email: string | null
  relation: (typeof guardianships.$inferSelect)['relation']
  sees: boolean
  pays: boolean
}

export type Person = {
  kind: 'student' | 'visitor'
  id: string
  name: string
  date_of_birth: string | null
  email: string | null
  enrolled_on: string
  is_trial: boolean
  awaits_approval: boolean
  has_plan: boolean
  /** True if the person came to a class before today. */
  has_come_before: boolean
  guardians: PersonGuardian[]
}

/** Without a date of birth, a student with guardians is taken for a child. */
export const isAdult = (
  { date_of_birth, guardians: links }: Pick<Person, 'date_of_birth' | 'guardians'>,
  today: string,
): boolean => hasReachedAge(date_of_birth, ADULT_AGE, today, { unknown: links.length === 0 })

/** Null reads all current students. Students whom the caller may not see are left out. */
export async function readStudentsWithGuardians(
  tx: Tx,
  ids: string[] | null,
  today: string,
): Promise<Person[]> {
  const hasPlan = exists(
    tx
      .select({ id: subscriptions.id })
      .from(subscriptions)
      .where(
        and(
          eq(subscriptions.student_id, students.id),
          sql`${subscriptions.starts_on} <= ${today}`,
          or(isNull(subscriptions.ends_on), sql`${subscriptions.ends_on} >= ${today}`),
        ),
      ),
  )
  const hasComeBefore = exists(
    tx
      .select({ id: attendance.id })
      .from(attendance)
      .where(
        and(
          eq(attendance.student_id, students.id),
          eq(attendance.present, true),
          lt(attendance.class_date, today),
        ),
      ),
  )
  const rows = await tx
    .select({
      id: students.id,
      name: students.name,
      date_of_birth: students.date_of_birth,
      email: students.email,
      enrolled_on: sql<string>`${enrolledOn}::text`,
      is_trial: students.is_trial,
      awaits_approval: students.awaits_approval,
      has_plan: sql<boolean>`${students.has_subscription} and ${hasPlan}`,
      has_come_before: sql<boolean>`${hasComeBefore}`,
    })
    .from(students)
    .where(ids === null ? isCurrentStudent : equalsAny(students.id, ids))
    .orderBy(sql`lower(${students.name})`, asc(students.id))
  const links = await readGuardianLinks(tx, pluck(rows, 'id'))
  return rows.map((row) => ({ kind: 'student', ...row, guardians: links.get(row.id) ?? [] }))
}

async function readGuardianLinks(tx: Tx, ids: string[]): Promise<Map<string, PersonGuardian[]>> {
  const condition: SQL | undefined = and(
    equalsAny(guardianships.student_id, ids),
    isNull(guardianships.ended_at),
  )
  const rows = await tx
    .select({
      guardian_id: guardianships.guardian_id,
      student_id: guardianships.student_id,
      name: guardians.name,
      email: guardians.email,
      relation: guardianships.relation,
      sees: guardianships.sees,
      pays: guardianships.pays,
    })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(condition)
    .orderBy(guardianships.guardian_id)
  return Map.groupBy(rows, ({ student_id }) => student_id)
}

type VisitorRow = typeof documentVisitors.$inferSelect

export const readVisitorRows = (tx: Tx, ids: string[]): Promise<VisitorRow[]> =>
  tx.select().from(documentVisitors).where(equalsAny(documentVisitors.id, ids))

export const describeVisitor = (
  { id, name, date_of_birth, email }: Pick<VisitorRow, 'id' | 'name' | 'date_of_birth' | 'email'>,
  today: string,
): Person => ({
  kind: 'visitor',
  id,
  name,
  date_of_birth,
  email,
  enrolled_on: today,
  is_trial: true,
  awaits_approval: true,
  has_plan: false,
  has_come_before: false,
  guardians: [],
})

async function readVisitor(tx: Tx, id: string, today: string): Promise<Person> {
  const [visitor] = await readVisitorRows(tx, [id])
  if (!visitor) throw notFound('Visitor')
  return describeVisitor(visitor, today)
}

type PersonIds = { student_id: string | null; visitor_id: string | null }

export async function readPerson(
  tx: Tx,
  { student_id, visitor_id }: PersonIds,
  today: string,
): Promise<Person> {
  if (visitor_id !== null) return readVisitor(tx, visitor_id, today)
  const [student] =
    student_id === null ? [] : await readStudentsWithGuardians(tx, [student_id], today)
  if (!student) throw notFound('Student')
  return student
}

export const personIds = ({ kind, id }: Pick<Person, 'kind' | 'id'>): PersonIds => ({
  student_id: kind === 'student' ? id : null,
  visitor_id: kind === 'visitor' ? id : null,
})

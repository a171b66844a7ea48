import { and, eq, ne, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Tx } from '../db/database.ts'
import { guardians } from '../guardians/tables.ts'
import { notifications } from '../notifications/tables.ts'
import { students } from './tables.ts'
import { announcements } from '../messages/announcements/tables.ts'

const FORMER_STUDENT = 'a former student'

/** Deletes announcements that only this student got. In other announcements, replaces the student's
 *  full name if nobody else has that name. */
export async function removeStudentFromAnnouncements(tx: Tx, studentId: string): Promise<void> {
  await tx.delete(announcements).where(eq(announcements.student_id, studentId))
  const [student] = await tx
    .select({ name: students.name })
    .from(students)
    .where(eq(students.id, studentId))
  // A first name alone could be another person's.
  if (!student?.name.includes(' ') || (await isSharedName(tx, studentId, student.name))) return
  await replaceInAnnouncements(tx, createNamePattern(student.name))
}

async function isSharedName(tx: Tx, studentId: string, name: string): Promise<boolean> {
  const hasSameName = (column: PgColumn): SQL => sql`lower(${column}) = lower(${name})`
  const studentNamesakes = await tx.$count(
    students,
    and(hasSameName(students.name), ne(students.id, studentId)),
  )
  const guardianNamesakes = await tx.$count(
    guardians,
    and(hasSameName(guardians.name), ne(guardians.id, studentId)),
  )
  return studentNamesakes + guardianNamesakes > 0
}

/** Returns a PostgreSQL regular expression that matches the name, but not inside a longer word. */
const createNamePattern = (name: string): string =>
  `(?<!\\w)${name.replace(/[^\p{L}\p{N} ]/gu, '\\$&')}(?!\\w)`

async function replaceInAnnouncements(tx: Tx, pattern: string): Promise<void> {
  const replaceName = (column: PgColumn): SQL =>
    sql`regexp_replace(${column}, ${pattern}, ${FORMER_STUDENT}, 'gi')`
  const containsName = (column: PgColumn): SQL => sql`${column} ~* ${pattern}`
  await tx
    .update(announcements)
    .set({ title: replaceName(announcements.title), content: replaceName(announcements.content) })
    .where(or(containsName(announcements.title), containsName(announcements.content)))
  const { title, message, template, announcement_id } = notifications
  await tx
    .update(notifications)
    .set({
      title: replaceName(title),
      message: replaceName(message),
      template: replaceName(template),
    })
    .where(
      and(
        sql`${announcement_id} is not null`,
        or(containsName(title), containsName(message), containsName(template)),
      ),
    )
}

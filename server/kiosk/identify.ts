import { shortNames } from '@tatami/contract/lib/name-parts'
import {
  currentClass,
  isOpenAt,
  type KioskClass,
  type SearchHits,
  MAX_SEARCH_HITS,
  type CodePeople,
} from '@tatami/contract/kiosk/kiosk'
import { nameStartsWith } from '@tatami/contract/lib/name-search'
import { and, eq, isNotNull } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import { placeRequests } from '../calendar/dates/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import type { Kiosk } from '../http/serve.ts'
import { notFound } from '../lib/refusal.ts'
import { enrollments, isCurrentStudent, students } from '../students/tables.ts'
import { findStudentsByCode } from './codes.ts'
import { increaseCount, requireBelowLimit } from './limits.ts'
import { makePass } from './passes.ts'
import { type KioskDay, readKioskDay } from './today.ts'
import { pick, pluck } from '../lib/rows.ts'

const toPassContext = ({ settings, kioskId, day }: KioskDay) => ({
  secret: settings.secret,
  kioskId,
  day,
})

/** Shortens the names, because other people can read the screen: "Mia R." */
export function withShortNames<Row extends { name: string }>(rows: readonly Row[]): Row[] {
  const names = shortNames(pluck(rows, 'name'))
  return rows.map((row, index) => ({ ...row, name: names[index] ?? row.name }))
}

/** Students with a class today come first. Students who await approval are not found. */
export async function searchStudents(tx: Tx, kiosk: Kiosk, text: string): Promise<SearchHits> {
  await requireBelowLimit(tx, kiosk.id, 'searches')
  await increaseCount(tx, kiosk.id, 'searches')
  const kioskDay = await readKioskDay(tx, kiosk)
  const allStudents = await tx
    .select(pick(students, 'id', 'name', 'belt_level'))
    .from(students)
    .where(and(eq(students.awaits_approval, false), isCurrentStudent))
  const matchesSearch = nameStartsWith(text)
  const matches = allStudents.filter(({ name }) => matchesSearch(name))
  const classesByStudent = await findClassesOfStudents(tx, kioskDay, pluck(matches, 'id'))
  const sortedMatches = matches.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  const studentsOfToday = sortedMatches.filter(({ id }) => classesByStudent.has(id))
  const otherStudents = sortedMatches.filter(({ id }) => !classesByStudent.has(id))
  const hits = [...studentsOfToday, ...otherStudents].slice(0, MAX_SEARCH_HITS)
  return {
    students: withShortNames(hits).map(({ id, name, belt_level }) => ({
      pass: makePass(toPassContext(kioskDay), id, 'name'),
      name,
      belt_level,
    })),
    has_more: matches.length > hits.length,
  }
}

export async function findClassesOfStudents(
  tx: Tx,
  { classes, day }: KioskDay,
  ids: string[],
): Promise<Map<string, KioskClass[]>> {
  const enrollmentRows = await tx
    .select(pick(enrollments, 'student_id', 'class_id'))
    .from(enrollments)
    .where(equalsAny(enrollments.student_id, ids))
  const guestRows = await tx
    .select(pick(placeRequests, 'student_id', 'class_id'))
    .from(placeRequests)
    .where(
      and(
        equalsAny(placeRequests.student_id, ids),
        eq(placeRequests.day, day),
        isNotNull(placeRequests.given_at),
      ),
    )
  const rowsByStudent = Map.groupBy([...enrollmentRows, ...guestRows], (row) => row.student_id)
  const classesByStudent = new Map<string, KioskClass[]>()
  for (const [id, studentRows] of rowsByStudent) {
    const classIds = new Set(pluck(studentRows, 'class_id'))
    const ownClasses = classes.filter((kioskClass) => classIds.has(kioskClass.id))
    if (ownClasses.length > 0) classesByStudent.set(id, ownClasses)
  }
  return classesByStudent
}

/** Chooses one of the student's classes: the class on the kiosk's screen, or else a class that is
 *  open for check-in, or else the next class. */
export function findOwnClass(
  ownClasses: readonly KioskClass[],
  kioskClass: KioskClass | undefined,
  minute: number,
): KioskClass | undefined {
  if (ownClasses.some(({ id }) => id === kioskClass?.id)) return kioskClass
  const upcomingClasses = ownClasses.filter(
    (ownClass) =>
      isOpenAt(ownClass, minute) || (ownClass.starts !== null && ownClass.starts > minute),
  )
  return currentClass(upcomingClasses, minute)
}

export function findClass({ classes }: KioskDay, classId: string): KioskClass {
  const kioskClass = classes.find(({ id }) => id === classId)
  if (!kioskClass) throw notFound('Class')
  return kioskClass
}

export async function findPeopleByCode(
  tx: Tx,
  kiosk: Kiosk,
  code: string,
  classId: string,
): Promise<CodePeople> {
  const kioskDay = await readKioskDay(tx, kiosk)
  const kioskClass = findClass(kioskDay, classId)
  const ids = await findStudentsByCode(tx, kioskDay.settings.secret, code)
  const codeStudents = await tx
    .select(pick(students, 'id', 'name'))
    .from(students)
    .where(equalsAny(students.id, ids))
  const classesByStudent = await findClassesOfStudents(tx, kioskDay, ids)
  const marks = await tx
    .select(pick(attendance, 'student_id', 'class_id'))
    .from(attendance)
    .where(
      and(
        equalsAny(attendance.student_id, ids),
        eq(attendance.class_date, kioskDay.day),
        eq(attendance.present, true),
      ),
    )
  const presentKeys = new Set(marks.map(({ student_id, class_id }) => `${student_id} ${class_id}`))
  const people = withShortNames(codeStudents).map(({ id, name }) => {
    const ownClass = findOwnClass(classesByStudent.get(id) ?? [], kioskClass, kioskDay.minute)
    const attendedClass = ownClass ?? kioskClass
    return {
      pass: makePass(toPassContext(kioskDay), id, 'sure'),
      name,
      class_name: attendedClass.name,
      class_time: attendedClass.time,
      has_class: ownClass !== undefined,
      is_here: presentKeys.has(`${id} ${attendedClass.id}`),
    }
  })
  return {
    people: people.toSorted(
      (a, b) => Number(b.has_class) - Number(a.has_class) || a.name.localeCompare(b.name, 'en'),
    ),
  }
}

import { shortNames } from '@tatami/contract/lib/name-parts'
import {
  currentClass,
  isOpenAt,
  type KioskClass,
  type KioskHits,
  SEARCH_HITS,
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
import { enrolments, students } from '../students/tables.ts'
import { studentsOfCode } from './codes.ts'
import { count, requireLeft } from './limits.ts'
import { makePass } from './passes.ts'
import { type Door, doorAt } from './today.ts'
import { pick, pluck } from '../lib/rows.ts'

const passContextOf = ({ settings, kioskId, day }: Door) => ({
  secret: settings.secret,
  kioskId,
  day,
})

/** Today's classes first. Students who await approval are not found. */
export async function searchStudents(tx: Tx, kiosk: Kiosk, text: string): Promise<KioskHits> {
  await requireLeft(tx, kiosk.id, 'searches')
  await count(tx, kiosk.id, 'searches')
  const door = await doorAt(tx, kiosk)
  const allStudents = await tx
    .select(pick(students, 'id', 'name', 'belt_level'))
    .from(students)
    .where(eq(students.awaits_approval, false))
  const isCalled = nameStartsWith(text)
  const matches = allStudents.filter(({ name }) => isCalled(name))
  const classesByStudent = await classesOfStudents(tx, door, pluck(matches, 'id'))
  const isToday = ({ id }: { id: string }) => Number(classesByStudent.has(id))
  const hits = matches
    .toSorted((a, b) => isToday(b) - isToday(a) || a.name.localeCompare(b.name, 'en'))
    .slice(0, SEARCH_HITS)
  const names = shortNames(pluck(hits, 'name'))
  return {
    students: hits.map(({ id, belt_level }, place) => ({
      pass: makePass(passContextOf(door), id, 'name'),
      name: names[place]!,
      belt_level,
    })),
    has_more: matches.length > hits.length,
  }
}

/** Today's classes in which the students are enrolled or have a place, in order. */
export async function classesOfStudents(
  tx: Tx,
  { classes, day }: Door,
  ids: string[],
): Promise<Map<string, KioskClass[]>> {
  const enrolmentRows = await tx
    .select(pick(enrolments, 'student_id', 'class_id'))
    .from(enrolments)
    .where(equalsAny(enrolments.student_id, ids))
  const guests = await tx
    .select(pick(placeRequests, 'student_id', 'class_id'))
    .from(placeRequests)
    .where(
      and(
        equalsAny(placeRequests.student_id, ids),
        eq(placeRequests.day, day),
        isNotNull(placeRequests.given_at),
      ),
    )
  const ofStudent = Map.groupBy([...enrolmentRows, ...guests], ({ student_id }) => student_id)
  return new Map(
    [...ofStudent].flatMap(([id, theirs]): [string, KioskClass[]][] => {
      const classIds = new Set(pluck(theirs, 'class_id'))
      const ownClasses = classes.filter((kioskClass) => classIds.has(kioskClass.id))
      return ownClasses.length > 0 ? [[id, ownClasses]] : []
    }),
  )
}

/** The class that a student comes for: the one on screen, or else one that is open, or else the
 *  next. */
export function ownClass(
  ownClasses: readonly KioskClass[],
  kioskClass: KioskClass | undefined,
  minute: number,
): KioskClass | undefined {
  if (ownClasses.some(({ id }) => id === kioskClass?.id)) return kioskClass
  const ahead = ownClasses.filter(
    (candidate) =>
      isOpenAt(candidate, minute) || (candidate.starts !== null && candidate.starts > minute),
  )
  return currentClass(ahead, minute)
}

export function requireClass({ classes }: Door, classId: string): KioskClass {
  const kioskClass = classes.find(({ id }) => id === classId)
  if (!kioskClass) throw notFound('Class')
  return kioskClass
}

export async function peopleOfCode(
  tx: Tx,
  kiosk: Kiosk,
  code: string,
  classId: string,
): Promise<CodePeople> {
  const door = await doorAt(tx, kiosk)
  const kioskClass = requireClass(door, classId)
  const ids = await studentsOfCode(tx, door.settings.secret, code)
  const codeStudents = await tx
    .select(pick(students, 'id', 'name'))
    .from(students)
    .where(equalsAny(students.id, ids))
  const classesByStudent = await classesOfStudents(tx, door, ids)
  const marks = await tx
    .select(pick(attendance, 'student_id', 'class_id'))
    .from(attendance)
    .where(
      and(
        equalsAny(attendance.student_id, ids),
        eq(attendance.class_date, door.day),
        eq(attendance.present, true),
      ),
    )
  const presentIn = new Set(marks.map(({ student_id, class_id }) => `${student_id} ${class_id}`))
  const names = shortNames(pluck(codeStudents, 'name'))
  const people = codeStudents.map(({ id }, place) => {
    const enrolledClass = ownClass(classesByStudent.get(id) ?? [], kioskClass, door.minute)
    const attendedClass = enrolledClass ?? kioskClass
    return {
      pass: makePass(passContextOf(door), id, 'sure'),
      name: names[place]!,
      class_name: attendedClass.name,
      class_time: attendedClass.time,
      has_class: enrolledClass !== undefined,
      is_here: presentIn.has(`${id} ${attendedClass.id}`),
    }
  })
  return {
    people: people.toSorted(
      (a, b) => Number(b.has_class) - Number(a.has_class) || a.name.localeCompare(b.name, 'en'),
    ),
  }
}

import { shortNames } from '@tatami/contract/lib/name-parts'
import {
  currentClass,
  isOpenAt,
  type KioskClass,
  type KioskHits,
  SEARCH_HITS,
  type CodePeople,
} from '@tatami/contract/kiosk/kiosk'
import { nameBegins } from '@tatami/contract/lib/name-search'
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

const passing = ({ settings, kioskId, day }: Door) => ({ secret: settings.secret, kioskId, day })

/** Students by the beginnings of their names, those of today's classes first. Whoever waits for approval is not found. */
export async function searchStudents(tx: Tx, kiosk: Kiosk, text: string): Promise<KioskHits> {
  await requireLeft(tx, kiosk.id, 'searches')
  await count(tx, kiosk.id, 'searches')
  const door = await doorAt(tx, kiosk)
  const all = await tx
    .select({ id: students.id, name: students.name, belt_level: students.belt_level })
    .from(students)
    .where(eq(students.awaits_approval, false))
  const isCalled = nameBegins(text)
  const found = all.filter(({ name }) => isCalled(name))
  const enrolled = await classesOfStudents(
    tx,
    door,
    found.map(({ id }) => id),
  )
  const isToday = ({ id }: { id: string }) => Number(enrolled.has(id))
  const listed = found
    .toSorted(
      (one, other) => isToday(other) - isToday(one) || one.name.localeCompare(other.name, 'en'),
    )
    .slice(0, SEARCH_HITS)
  const names = shortNames(listed.map(({ name }) => name))
  return {
    students: listed.map(({ id, belt_level }, place) => ({
      pass: makePass(passing(door), id, 'name'),
      name: names[place]!,
      belt_level,
    })),
    has_more: found.length > listed.length,
  }
}

/** The classes of the day in which each of these students is enrolled, or has a place on that day, in the order of the day. */
export async function classesOfStudents(
  tx: Tx,
  { classes, day }: Door,
  ids: string[],
): Promise<Map<string, KioskClass[]>> {
  const enrolled = await tx
    .select({ student_id: enrolments.student_id, class_id: enrolments.class_id })
    .from(enrolments)
    .where(equalsAny(enrolments.student_id, ids))
  const guests = await tx
    .select({ student_id: placeRequests.student_id, class_id: placeRequests.class_id })
    .from(placeRequests)
    .where(
      and(
        equalsAny(placeRequests.student_id, ids),
        eq(placeRequests.day, day),
        isNotNull(placeRequests.given_at),
      ),
    )
  const ofStudent = Map.groupBy([...enrolled, ...guests], ({ student_id }) => student_id)
  return new Map(
    [...ofStudent].flatMap(([id, theirs]): [string, KioskClass[]][] => {
      const classIds = new Set(theirs.map(({ class_id }) => class_id))
      const own = classes.filter((one) => classIds.has(one.id))
      return own.length > 0 ? [[id, own]] : []
    }),
  )
}

/** Of the classes in which somebody is enrolled today the one for which they come: that which is shown, else one that is open, else the next. */
export function ownClass(
  own: readonly KioskClass[],
  shown: KioskClass | undefined,
  minute: number,
): KioskClass | undefined {
  if (own.some(({ id }) => id === shown?.id)) return shown
  const ahead = own.filter(
    (one) => isOpenAt(one, minute) || (one.starts !== null && one.starts > minute),
  )
  return currentClass(ahead, minute)
}

export function shownClass({ classes }: Door, classId: string): KioskClass {
  const shown = classes.find(({ id }) => id === classId)
  if (!shown) throw notFound('Class')
  return shown
}

/** Whom a code stands for: those with a class today first. */
export async function peopleOfCode(
  tx: Tx,
  kiosk: Kiosk,
  code: string,
  classId: string,
): Promise<CodePeople> {
  const door = await doorAt(tx, kiosk)
  const shown = shownClass(door, classId)
  const ids = await studentsOfCode(tx, door.settings.secret, code)
  const found = await tx
    .select({ id: students.id, name: students.name })
    .from(students)
    .where(equalsAny(students.id, ids))
  const enrolled = await classesOfStudents(tx, door, ids)
  const marks = await tx
    .select({ student_id: attendance.student_id, class_id: attendance.class_id })
    .from(attendance)
    .where(
      and(
        equalsAny(attendance.student_id, ids),
        eq(attendance.class_date, door.day),
        eq(attendance.present, true),
      ),
    )
  const presentIn = new Set(marks.map(({ student_id, class_id }) => `${student_id} ${class_id}`))
  const names = shortNames(found.map(({ name }) => name))
  const people = found.map(({ id }, place) => {
    const own = ownClass(enrolled.get(id) ?? [], shown, door.minute)
    const to = own ?? shown
    return {
      pass: makePass(passing(door), id, 'sure'),
      name: names[place]!,
      class_name: to.name,
      class_time: to.time,
      has_class: own !== undefined,
      is_here: presentIn.has(`${id} ${to.id}`),
    }
  })
  return {
    people: people.toSorted(
      (one, other) =>
        Number(other.has_class) - Number(one.has_class) || one.name.localeCompare(other.name, 'en'),
    ),
  }
}

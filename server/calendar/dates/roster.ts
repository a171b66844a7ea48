import type { PlaceState } from '@tatami/contract/calendar/class-dates'
import { isVacationOn } from '@tatami/contract/students/student-page'
import { asc, between, or } from 'drizzle-orm'
import { equalsAny } from '../../db/bulk.ts'
import type { Tx } from '../../db/database.ts'
import { excuses } from '../excuses/tables.ts'
import { enrolments, students } from '../../students/tables.ts'
import { placeRequests } from './tables.ts'
import { pick, pluck } from '../../lib/rows.ts'

type Person = { student_id: string; student_name: string }
type Student = Person & {
  on_vacation: boolean
  vacation_from: string | null
  vacation_until: string | null
}
type EnrolledStudent = Student & { class_id: string }
type PlaceRequest = Person & {
  class_id: string
  day: string
  given_at: string | null
  created_at: string
}

export type Roster = {
  enrolled: Map<string, EnrolledStudent[]>
  excused: Set<string>
  asked: Map<string, PlaceRequest[]>
}

/** Everybody in `classIds`; of other classes only `studentIds`, if they are given. */
type RosterOf = { from: string; until: string; classIds: string[]; studentIds?: string[] }

/** Students are read separately: without statistics PostgreSQL might compare every enrollment
 *  with every student. */
export async function readRoster(
  tx: Tx,
  { from, until, classIds, studentIds }: RosterOf,
): Promise<Roster> {
  const ofClass = equalsAny(enrolments.class_id, classIds)
  const enrolmentRows = await tx
    .select(pick(enrolments, 'class_id', 'student_id'))
    .from(enrolments)
    .where(studentIds ? or(ofClass, equalsAny(enrolments.student_id, studentIds)) : ofClass)
  const excuseRows = await tx
    .select({ class_id: excuses.class_id, day: excuses.class_date, student_id: excuses.student_id })
    .from(excuses)
    .where(between(excuses.class_date, from, until))
  const requestRows = await tx
    .select(pick(placeRequests, 'class_id', 'day', 'student_id', 'given_at', 'created_at'))
    .from(placeRequests)
    .where(between(placeRequests.day, from, until))
    .orderBy(asc(placeRequests.created_at), asc(placeRequests.student_id))
  const people = await studentsById(tx, [
    ...new Set([...enrolmentRows, ...requestRows].map(({ student_id }) => student_id)),
  ])
  return {
    enrolled: Map.groupBy(
      withStudents(enrolmentRows, people).toSorted(byName),
      ({ class_id }) => class_id,
    ),
    excused: new Set(
      excuseRows.map(({ class_id, day, student_id }) => `${class_id} ${day} ${student_id}`),
    ),
    asked: Map.groupBy(
      withStudents(requestRows, people),
      ({ class_id, day }) => `${class_id} ${day}`,
    ),
  }
}

async function studentsById(tx: Tx, ids: string[]): Promise<Map<string, Student>> {
  const rows = await tx
    .select({
      ...pick(students, 'on_vacation', 'vacation_from', 'vacation_until'),
      student_id: students.id,
      student_name: students.name,
    })
    .from(students)
    .where(equalsAny(students.id, ids))
  return new Map(rows.map((row) => [row.student_id, row]))
}

const withStudents = <R extends { student_id: string }>(
  rows: R[],
  people: ReadonlyMap<string, Student>,
): (R & Student)[] =>
  rows.flatMap((row) => {
    const student = people.get(row.student_id)
    return student ? [{ ...row, ...student }] : []
  })

const byName = (a: Person, b: Person) => {
  if (a.student_name !== b.student_name) return a.student_name < b.student_name ? -1 : 1
  return a.student_id < b.student_id ? -1 : 1
}

export type PersonOnDate = Person & {
  state: PlaceState
  position: number | null
  asked_at: string | null
}

/** Everybody of a date: enrolled students, guests, then the waitlist. Nobody is in it twice. An
 *  expected student needs no place; of an excused one the request counts. */
export function peopleOn(
  { enrolled, excused, asked }: Roster,
  { class_id, day }: { class_id: string; day: string },
): PersonOnDate[] {
  const enrolledPeople = (enrolled.get(class_id) ?? []).map((student) =>
    personOnDate(
      student,
      isAwayOn(day, student)
        ? 'away'
        : excused.has(`${class_id} ${day} ${student.student_id}`)
          ? 'excused'
          : 'expected',
    ),
  )
  const expected = new Set(
    enrolledPeople.flatMap(({ student_id, state }) => (state === 'expected' ? [student_id] : [])),
  )
  const asking = (asked.get(`${class_id} ${day}`) ?? []).filter(
    ({ student_id }) => !expected.has(student_id),
  )
  const guests = asking
    .filter(({ given_at }) => given_at !== null)
    .map((request) => personOnDate(request, 'has_place'))
  const waiting = asking
    .filter(({ given_at }) => given_at === null)
    .map((request, index) => personOnDate(request, 'waiting', index + 1))
  const requesterIds = new Set(pluck(asking, 'student_id'))
  return [
    ...enrolledPeople.filter(({ student_id }) => !requesterIds.has(student_id)),
    ...guests,
    ...waiting,
  ]
}

const personOnDate = (
  person: Person & Partial<PlaceRequest>,
  state: PlaceState,
  position: number | null = null,
): PersonOnDate => ({
  student_id: person.student_id,
  student_name: person.student_name,
  state,
  position,
  asked_at: person.created_at ?? null,
})

/** A vacation started by hand may have no first day. */
const isAwayOn = (day: string, { on_vacation, ...dates }: EnrolledStudent) =>
  dates.vacation_from === null ? on_vacation : isVacationOn(day, dates)

export const countExpected = (people: readonly PersonOnDate[]): number =>
  people.filter(({ state }) => state === 'expected' || state === 'has_place').length

import type { PlaceState } from '@tatami/contract/calendar/class-dates'
import { isVacationOn } from '@tatami/contract/students/student-page'
import { and, asc, between, count, notInArray, or, sql } from 'drizzle-orm'
import { equalsAny } from '../../db/bulk.ts'
import type { Tx } from '../../db/database.ts'
import { excuses } from '../excuses/tables.ts'
import { enrollments, isCurrentStudent, students } from '../../students/tables.ts'
import { bookings } from '../../trials/tables.ts'
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

/** The students of several class dates, and the trials on each date. See `createDateKey` and
 *  `createExcuseKey` for the keys. */
export type Roster = {
  enrolledByClass: Map<string, EnrolledStudent[]>
  excuseKeys: Set<string>
  requestsByDate: Map<string, PlaceRequest[]>
  trialsByDate: Map<string, TrialCount>
}

/** `takenPlaces` is lower than `trials` if the school has extra places for trials. */
type TrialCount = { trials: number; takenPlaces: number }

/** Selects all students of the classes `classIds`, and the students `studentIds` in other classes.
 *  */
type RosterQuery = { from: string; until: string; classIds: string[]; studentIds?: string[] }

/** Does not join tables, because PostgreSQL may choose a very slow plan if it has no statistics. */
export async function readRoster(
  tx: Tx,
  { from, until, classIds, studentIds }: RosterQuery,
): Promise<Roster> {
  const isInClasses = equalsAny(enrollments.class_id, classIds)
  const enrollmentRows = await tx
    .select(pick(enrollments, 'class_id', 'student_id'))
    .from(enrollments)
    .where(
      studentIds ? or(isInClasses, equalsAny(enrollments.student_id, studentIds)) : isInClasses,
    )
  const excuseRows = await tx
    .select({ class_id: excuses.class_id, day: excuses.class_date, student_id: excuses.student_id })
    .from(excuses)
    .where(between(excuses.class_date, from, until))
  const requestRows = await tx
    .select(pick(placeRequests, 'class_id', 'day', 'student_id', 'given_at', 'created_at'))
    .from(placeRequests)
    .where(between(placeRequests.day, from, until))
    .orderBy(asc(placeRequests.created_at), asc(placeRequests.student_id))
  const ids = new Set([...enrollmentRows, ...requestRows].map(({ student_id }) => student_id))
  const people = await findStudentsById(tx, [...ids])
  const enrolledStudents = joinStudents(enrollmentRows, people).toSorted(compareNames)
  return {
    enrolledByClass: Map.groupBy(enrolledStudents, ({ class_id }) => class_id),
    excuseKeys: new Set(excuseRows.map((row) => createExcuseKey(row, row.student_id))),
    requestsByDate: Map.groupBy(joinStudents(requestRows, people), createDateKey),
    trialsByDate: await countTrials(tx, { from, until, classIds }),
  }
}

async function countTrials(
  tx: Tx,
  { from, until, classIds }: Pick<RosterQuery, 'from' | 'until' | 'classIds'>,
): Promise<Map<string, TrialCount>> {
  if (classIds.length === 0) return new Map()
  const rows = await tx
    .select({
      class_id: bookings.class_id,
      day: bookings.class_date,
      trials: count(),
      takenPlaces: count(sql`case when ${bookings.uses_class_places} then 1 end`),
    })
    .from(bookings)
    .where(
      and(
        between(bookings.class_date, from, until),
        equalsAny(bookings.class_id, classIds),
        notInArray(bookings.state, ['cancelled', 'waiting']),
      ),
    )
    .groupBy(bookings.class_id, bookings.class_date)
  return new Map(rows.map((row) => [createDateKey(row), row]))
}

type ClassDay = { class_id: string; day: string }

const createDateKey = ({ class_id, day }: ClassDay) => `${class_id} ${day}`
const createExcuseKey = (date: ClassDay, studentId: string) => `${createDateKey(date)} ${studentId}`

async function findStudentsById(tx: Tx, ids: string[]): Promise<Map<string, Student>> {
  const rows = await tx
    .select({
      ...pick(students, 'on_vacation', 'vacation_from', 'vacation_until'),
      student_id: students.id,
      student_name: students.name,
    })
    .from(students)
    .where(and(equalsAny(students.id, ids), isCurrentStudent))
  return new Map(rows.map((row) => [row.student_id, row]))
}

/** Leaves out rows of former students. */
function joinStudents<Row extends { student_id: string }>(
  rows: Row[],
  people: ReadonlyMap<string, Student>,
): (Row & Student)[] {
  const joinedRows: (Row & Student)[] = []
  for (const row of rows) {
    const student = people.get(row.student_id)
    if (student) joinedRows.push({ ...row, ...student })
  }
  return joinedRows
}

function compareNames(a: Person, b: Person): number {
  if (a.student_name !== b.student_name) return a.student_name < b.student_name ? -1 : 1
  return a.student_id < b.student_id ? -1 : 1
}

export type PersonOnDate = Person & {
  state: PlaceState
  position: number | null
  asked_at: string | null
}

/** Lists each person once. A student who is excused or on vacation, but has asked for a place
 *  again, is listed as a guest or on the waitlist. */
export function listPeopleOnDate(
  { enrolledByClass, excuseKeys, requestsByDate }: Roster,
  { class_id, day }: ClassDay,
): PersonOnDate[] {
  const findState = (student: EnrolledStudent) => {
    if (isOnVacation(day, student)) return 'away'
    const isExcused = excuseKeys.has(createExcuseKey({ class_id, day }, student.student_id))
    return isExcused ? 'excused' : 'expected'
  }
  const enrolledPeople = (enrolledByClass.get(class_id) ?? []).map((student) =>
    toPersonOnDate(student, findState(student)),
  )
  const expectedPeople = enrolledPeople.filter(({ state }) => state === 'expected')
  const expectedIds = new Set(pluck(expectedPeople, 'student_id'))
  const dateRequests = requestsByDate.get(createDateKey({ class_id, day })) ?? []
  const neededRequests = dateRequests.filter(({ student_id }) => !expectedIds.has(student_id))
  const guests = neededRequests
    .filter(({ given_at }) => given_at !== null)
    .map((request) => toPersonOnDate(request, 'has_place'))
  const waitlist = neededRequests
    .filter(({ given_at }) => given_at === null)
    .map((request, index) => toPersonOnDate(request, 'waiting', index + 1))
  const requesterIds = new Set(pluck(neededRequests, 'student_id'))
  return [
    ...enrolledPeople.filter(({ student_id }) => !requesterIds.has(student_id)),
    ...guests,
    ...waitlist,
  ]
}

const toPersonOnDate = (
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

/** A vacation that was started with a switch instead of dates has no first day. */
const isOnVacation = (day: string, { on_vacation, ...dates }: EnrolledStudent) =>
  dates.vacation_from === null ? on_vacation : isVacationOn(day, dates)

export const countExpected = (people: readonly PersonOnDate[]): number =>
  people.filter(({ state }) => state === 'expected' || state === 'has_place').length

/** Counts students who are expected, and trials that take a place of the class. */
export const countTakenPlaces = (
  { trialsByDate }: Pick<Roster, 'trialsByDate'>,
  date: ClassDay,
  people: readonly PersonOnDate[],
): number => countExpected(people) + (trialsByDate.get(createDateKey(date))?.takenPlaces ?? 0)

export const countTrialsOn = (
  { trialsByDate }: Pick<Roster, 'trialsByDate'>,
  date: ClassDay,
): number => trialsByDate.get(createDateKey(date))?.trials ?? 0

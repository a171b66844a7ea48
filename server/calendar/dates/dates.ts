import { addDays } from '@tatami/contract/lib/calendar-day'
import {
  DATES_DEFAULT_DAYS,
  DATES_MAX_DAYS,
  type DatedClass,
  type DatesQuery,
} from '@tatami/contract/calendar/class-dates'
import { classDatesBetween, type ClassDate } from '@tatami/contract/calendar/timetable'
import { and, between, count, eq, sql } from 'drizzle-orm'
import { attendance } from '../../attendance/tables.ts'
import type { Tx } from '../../db/database.ts'
import { todayOf } from '../../dojos/dojos.ts'
import { findVisibleStudents } from '../../guardians/readers.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { mapInSlices } from '../../lib/event-loop.ts'
import { invalid, notFound } from '../../lib/refusal.ts'
import { readTimetable } from '../timetable/timetable.ts'
import {
  countExpected,
  countTakenPlaces,
  countTrialsOn,
  listPeopleOnDate,
  type PersonOnDate,
  readRoster,
  type Roster,
} from './roster.ts'
import { pluck } from '../../lib/rows.ts'

/** Students and guardians get the dates of their own classes. Throws 422 for too many days. */
export async function listClassDates(
  tx: Tx,
  caller: DojoCaller,
  query: DatesQuery,
): Promise<DatedClass[]> {
  const { from, until } = await requireDays(tx, caller.dojoId, query)
  const timetable = await readTimetable(tx, from, until)
  const classes = query.class_id
    ? timetable.classes.filter(({ id }) => id === query.class_id)
    : timetable.classes
  if (query.class_id && classes.length === 0) throw notFound('Class')
  const dates = classDatesBetween({ ...timetable, classes }, from, until)
  const placesByClass = new Map(classes.map(({ id, places }) => [id, places]))
  const addPlaces = (date: ClassDate, people: PersonOnDate[], roster: Roster) => {
    const places = placesByClass.get(date.class_id) ?? null
    const takenPlaces = countTakenPlaces(roster, date, people)
    const free_places = places === null ? null : Math.max(0, places - takenPlaces)
    return { ...date, places, free_places }
  }
  if (caller.role === 'instructor') {
    const roster = await readRoster(tx, { from, until, classIds: pluck(classes, 'id') })
    const days = { from, until, class_id: query.class_id }
    const marksByDate = await readMarks(tx, caller.dojoId, days)
    return mapInSlices(dates, (date): DatedClass => {
      const people = listPeopleOnDate(roster, date)
      const countState = (state: PersonOnDate['state']) =>
        people.filter((person) => person.state === state).length
      return {
        ...addPlaces(date, people, roster),
        expected: countExpected(people),
        excused: countState('excused'),
        waiting: countState('waiting'),
        trials: countTrialsOn(roster, date),
        ...countMarks(marksByDate.get(`${date.class_id} ${date.day}`), people),
        students: people.filter(({ state }) => state === 'has_place' || state === 'waiting'),
      }
    })
  }
  const studentIds = await findVisibleStudents(tx, caller)
  const limitedClasses = classes.filter(({ places }) => places !== null)
  const classIds = pluck(limitedClasses, 'id')
  const roster = await readRoster(tx, { from, until, classIds, studentIds })
  const noCounts = { expected: null, excused: null, waiting: null, trials: null, ...NO_MARKS }
  const datedClasses = await mapInSlices(dates, (date): DatedClass => {
    const people = listPeopleOnDate(roster, date)
    const ownPeople = people.filter(({ student_id }) => studentIds.includes(student_id))
    return { ...addPlaces(date, people, roster), ...noCounts, students: ownPeople }
  })
  if (query.class_id) return datedClasses
  const withLimitedClasses = query.with_places === 'true'
  return datedClasses.filter(
    ({ students, places }) => students.length > 0 || (withLimitedClasses && places !== null),
  )
}

async function requireDays(tx: Tx, dojoId: string, query: DatesQuery) {
  const firstDay = query.from ?? (await todayOf(tx, dojoId))
  const lastDay = query.until ?? addDays(firstDay, DATES_DEFAULT_DAYS - 1)
  if (lastDay < firstDay) throw invalid('until', 'The last day must not be before the first')
  if (lastDay >= addDays(firstDay, DATES_MAX_DAYS))
    throw invalid('until', `At most ${DATES_MAX_DAYS} days`)
  return { from: firstDay, until: lastDay }
}

type DateMarks = { presentCount: number; studentIds: string[] }
const NO_MARKS = { came: null, marked: null, unmarked: null }

function countMarks(marks: DateMarks | undefined, people: PersonOnDate[]) {
  if (!marks) return NO_MARKS
  const markedIds = new Set(marks.studentIds)
  const unmarkedPeople = people.filter(({ student_id }) => !markedIds.has(student_id))
  return {
    came: marks.presentCount,
    marked: markedIds.size,
    unmarked: countExpected(unmarkedPeople),
  }
}

async function readMarks(
  tx: Tx,
  dojoId: string,
  { from, until, class_id }: DatesQuery & { from: string; until: string },
) {
  const today = await todayOf(tx, dojoId)
  if (from > today) return new Map<string, DateMarks>()
  const rows = await tx
    .select({
      class_id: attendance.class_id,
      day: attendance.class_date,
      presentCount: count(sql`case when ${attendance.present} then 1 end`),
      studentIds: sql<string[]>`array_agg(${attendance.student_id})`,
    })
    .from(attendance)
    .where(
      and(
        between(attendance.class_date, from, until < today ? until : today),
        class_id ? eq(attendance.class_id, class_id) : undefined,
      ),
    )
    .groupBy(attendance.class_id, attendance.class_date)
  return new Map(rows.map((row) => [`${row.class_id} ${row.day}`, row]))
}

export async function readClassDate(
  tx: Tx,
  caller: DojoCaller,
  class_id: string,
  day: string,
): Promise<DatedClass> {
  const [date] = await listClassDates(tx, caller, { class_id, from: day, until: day })
  if (!date) throw notFound('Class')
  return date
}

import { beltTestLabels } from '@tatami/contract/dojos/belt-test'
import { addDays } from '@tatami/contract/lib/calendar-day'
import { FEED_DAYS_AHEAD, FEED_DAYS_BACK } from '@tatami/contract/calendar/calendar-feeds'
import { findEndMinutes, parseMinutes } from '@tatami/contract/classes/classes'
import { firstNames } from '@tatami/contract/texting/message-types'
import { classDatesBetween, type ClassDate } from '@tatami/contract/calendar/timetable'
import { and, between, eq, isNotNull, ne } from 'drizzle-orm'
import { type PersonOnDate, listPeopleOnDate, readRoster, type Roster } from '../dates/roster.ts'
import { equalsAny } from '../../db/bulk.ts'
import type { Tx } from '../../db/database.ts'
import { todayIn } from '../../dojos/calendar.ts'
import { dojoById } from '../../dojos/dojos.ts'
import { findVisibleStudents } from '../../guardians/readers.ts'
import { candidates, gradings } from '../../gradings/tables.ts'
import type { Caller } from '../../http/serve.ts'
import { yieldToOthers } from '../../lib/event-loop.ts'
import { students } from '../../students/tables.ts'
import { type TimetableRows, readTimetable } from '../timetable/timetable.ts'
import { pick, pluck } from '../../lib/rows.ts'

/** `start` and `end` are minutes since midnight in the dojo's time zone, or null for all day. */
export type CalendarEvent = {
  /** Stays the same if the date is moved. */
  uid: string
  day: string
  last_day: string
  start: number | null
  end: number | null
  title: string
  details: string | null
  place: string | null
  is_cancelled: boolean
}
export type DojoCalendar = {
  name: string
  timeZone: string
  today: string
  events: CalendarEvent[]
}

type Reader = Pick<Caller, 'id' | 'role'> & { dojoId: string }

/** All data of a calendar. The same rows always produce the same calendar. */
export type CalendarRows = {
  name: string
  timeZone: string
  today: string
  days: DayRange
  /** The students whom the reader may see. Null for instructors, who may see everyone. */
  visibleIds: string[] | null
  /** True for a student who sees no other student. */
  seesOnlySelf: boolean
  timetable: TimetableRows
  roster: Roster | null
  gradings: Grading[]
  beltTestLabel: string
  invitedStudents: InvitedStudent[]
}

export async function readCalendar(tx: Tx, reader: Reader): Promise<CalendarRows> {
  const { name, time_zone, belt_test_name } = await dojoById(tx, reader.dojoId)
  const today = todayIn(time_zone)
  const days = { from: addDays(today, -FEED_DAYS_BACK), until: addDays(today, FEED_DAYS_AHEAD) }
  const visibleIds = reader.role === 'instructor' ? null : await findVisibleStudents(tx, reader)
  return {
    name,
    timeZone: time_zone,
    today,
    days,
    visibleIds,
    seesOnlySelf: visibleIds?.length === 1 && visibleIds[0] === reader.id,
    timetable: await readTimetable(tx, days.from, days.until),
    roster: visibleIds && (await readRoster(tx, { ...days, classIds: [], studentIds: visibleIds })),
    gradings: await findGradings(tx, days),
    beltTestLabel: beltTestLabels(belt_test_name).capitalized,
    invitedStudents: visibleIds ? await findInvitedStudents(tx, visibleIds) : [],
  }
}

/** The calendar is built in slices, so that the server can answer other requests in between. */
const SLICE_DAYS = 7

/** Titles begin with the students' first names if the reader sees other students. */
export async function buildCalendar(rows: CalendarRows): Promise<DojoCalendar> {
  const { name, timeZone, today, days, timetable } = rows
  const events: CalendarEvent[] = []
  for (
    let sliceStart = days.from;
    sliceStart <= days.until;
    sliceStart = addDays(sliceStart, SLICE_DAYS)
  ) {
    const sliceEnd = addDays(sliceStart, SLICE_DAYS - 1)
    events.push(...listClassEvents(rows, sliceStart, sliceEnd < days.until ? sliceEnd : days.until))
    await yieldToOthers()
  }
  const holidayEvents = timetable.holidays.map(({ id, name: title, first_day, last_day }) =>
    createAllDayEvent({ uid: id, day: first_day, last_day, title: `${title}: no classes` }),
  )
  return {
    name,
    timeZone,
    today,
    events: [...events, ...holidayEvents, ...listGradingEvents(rows)],
  }
}

function listClassEvents(
  { timetable, roster, visibleIds, seesOnlySelf }: CalendarRows,
  firstDay: string,
  lastDay: string,
): CalendarEvent[] {
  const studentIds = new Set(visibleIds)
  const locations = new Map(timetable.classes.map(({ id, location }) => [id, location]))
  const events: CalendarEvent[] = []
  for (const date of classDatesBetween(timetable, firstDay, lastDay)) {
    if (date.status === 'moved' || date.status === 'holiday') continue
    const isVisible = (person: PersonOnDate) =>
      studentIds.has(person.student_id) && isComing(person)
    const people = roster && listPeopleOnDate(roster, date).filter(isVisible)
    if (people?.length === 0) continue
    const location = locations.get(date.class_id) ?? null
    events.push(toClassEvent(date, seesOnlySelf ? null : people, location))
  }
  return events
}

const isComing = ({ state }: PersonOnDate) => state === 'expected' || state === 'has_place'
const ALL_DAY_DEFAULTS = { start: null, end: null, details: null, place: null, is_cancelled: false }
const createAllDayEvent = (
  event: Pick<CalendarEvent, 'uid' | 'day' | 'last_day' | 'title'>,
): CalendarEvent => ({ ...ALL_DAY_DEFAULTS, ...event })

const addNames = (people: readonly { student_name: string }[] | null, title: string) =>
  people ? `${firstNames(pluck(people, 'student_name'))}: ${title}` : title

function toClassEvent(
  date: ClassDate,
  people: PersonOnDate[] | null,
  place: string | null,
): CalendarEvent {
  const { class_id, class_name, day, status, reason, substitute, moved_from } = date
  const is_cancelled = status === 'cancelled'
  const start = parseMinutes(date.start_time)
  const details = [reason, substitute && `With ${substitute}`, start === null && date.time]
  return {
    uid: `${class_id}-${moved_from?.day ?? day}`,
    day,
    last_day: day,
    start,
    end: findEndMinute(start, parseMinutes(date.end_time)),
    title: addNames(people, is_cancelled ? `${class_name} (canceled)` : class_name),
    details: details.filter(Boolean).join('\n') || null,
    place,
    is_cancelled,
  }
}

const HOUR_MINUTES = 60

/** Returns the minutes since midnight of a time such as "17:30". */
function parseTime(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return hour * HOUR_MINUTES + minute
}

/** A class without an end time is shown as one hour long. */
const findEndMinute = (start: number | null, end: number | null) =>
  start === null ? null : (findEndMinutes(start, end) ?? start + HOUR_MINUTES)

type DayRange = { from: string; until: string }
/** Belt tests have no end time, so they are shown as two hours long. */
const GRADING_MINUTES = 2 * HOUR_MINUTES

type Grading = Pick<typeof gradings.$inferSelect, 'id' | 'name' | 'held_on' | 'held_at' | 'place'>
type InvitedStudent = { grading_id: string; student_name: string }

const findGradings = (tx: Tx, { from, until }: DayRange): Promise<Grading[]> =>
  tx
    .select(pick(gradings, 'id', 'name', 'held_on', 'held_at', 'place'))
    .from(gradings)
    .where(between(gradings.held_on, from, until))

const findInvitedStudents = (tx: Tx, studentIds: string[]): Promise<InvitedStudent[]> =>
  tx
    .select({ grading_id: candidates.grading_id, student_name: students.name })
    .from(candidates)
    .innerJoin(students, eq(students.id, candidates.student_id))
    .where(
      and(
        equalsAny(candidates.student_id, studentIds),
        isNotNull(candidates.invited_at),
        ne(candidates.answer, 'no'),
      ),
    )

function listGradingEvents({
  gradings: gradingRows,
  invitedStudents,
  visibleIds,
  seesOnlySelf,
  beltTestLabel,
}: CalendarRows): CalendarEvent[] {
  const invitedByGrading = Map.groupBy(invitedStudents, ({ grading_id }) => grading_id)
  const events: CalendarEvent[] = []
  for (const { id, name, held_on, held_at, place } of gradingRows) {
    const people = visibleIds && (invitedByGrading.get(id) ?? [])
    if (people?.length === 0) continue
    const start = held_at ? parseTime(held_at) : null
    const title = addNames(seesOnlySelf ? null : people, `${beltTestLabel}: ${name}`)
    events.push({
      ...createAllDayEvent({ uid: id, day: held_on, last_day: held_on, title }),
      start,
      end: start === null ? null : start + GRADING_MINUTES,
      place,
    })
  }
  return events
}

import { beltTestLabels } from '@tatami/contract/dojos/belt-test'
import { addDays } from '@tatami/contract/lib/calendar-day'
import { FEED_DAYS_AHEAD, FEED_DAYS_BACK } from '@tatami/contract/calendar/calendar-feeds'
import { endMinutesOf, minutesOf } from '@tatami/contract/classes/classes'
import { firstNames } from '@tatami/contract/texting/message-types'
import { classDatesBetween, type ClassDate } from '@tatami/contract/calendar/timetable'
import { and, between, eq, isNotNull, ne } from 'drizzle-orm'
import { type PersonOnDate, peopleOn, readRoster, type Roster } from '../dates/roster.ts'
import { equalsAny } from '../../db/bulk.ts'
import type { Tx } from '../../db/database.ts'
import { todayIn } from '../../dojos/calendar.ts'
import { dojoById } from '../../dojos/dojos.ts'
import { studentsSeenBy } from '../../guardians/readers.ts'
import { candidates, gradings } from '../../gradings/tables.ts'
import type { Caller } from '../../http/serve.ts'
import { yieldToOthers } from '../../lib/event-loop.ts'
import { students } from '../../students/tables.ts'
import { type ReadTimetable, readTimetable } from '../timetable/timetable.ts'
import { pick, pluck } from '../../lib/rows.ts'

/** `start` and `end` are minutes since midnight by the dojo's clock; null for all day. */
export type Entry = {
  /** Stays the same when the date is moved. */
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
export type DojoCalendar = { name: string; timeZone: string; today: string; entries: Entry[] }

type Reader = Pick<Caller, 'id' | 'role'> & { dojoId: string }

/** The same rows make the same calendar. */
export type CalendarRows = {
  name: string
  timeZone: string
  today: string
  days: Days
  seen: string[] | null
  isOnlySelf: boolean
  timetable: ReadTimetable
  roster: Roster | null
  gradings: Grading[]
  beltTest: string
  invited: InvitedStudent[]
}

export async function readCalendar(tx: Tx, reader: Reader): Promise<CalendarRows> {
  const { name, time_zone, belt_test_name } = await dojoById(tx, reader.dojoId)
  const today = todayIn(time_zone)
  const days = { from: addDays(today, -FEED_DAYS_BACK), until: addDays(today, FEED_DAYS_AHEAD) }
  const seenIds = reader.role === 'instructor' ? null : await studentsSeenBy(tx, reader)
  return {
    name,
    timeZone: time_zone,
    today,
    days,
    seen: seenIds,
    isOnlySelf: seenIds?.length === 1 && seenIds[0] === reader.id,
    timetable: await readTimetable(tx, days.from, days.until),
    roster: seenIds && (await readRoster(tx, { ...days, classIds: [], studentIds: seenIds })),
    gradings: await findGradings(tx, days),
    beltTest: beltTestLabels(belt_test_name).capitalized,
    invited: seenIds ? await findInvited(tx, seenIds) : [],
  }
}

/** After each slice other requests have their turn. */
const SLICE_DAYS = 7

/** Names are first names, and only for readers who see more than one student. */
export async function calendarOf(rows: CalendarRows): Promise<DojoCalendar> {
  const { name, timeZone, today, days, timetable } = rows
  const entries: Entry[] = []
  for (
    let sliceStart = days.from;
    sliceStart <= days.until;
    sliceStart = addDays(sliceStart, SLICE_DAYS)
  ) {
    const last = addDays(sliceStart, SLICE_DAYS - 1)
    entries.push(...classEntries(rows, sliceStart, last < days.until ? last : days.until))
    await yieldToOthers()
  }
  const holidayEntries = timetable.holidays.map(({ id, name: title, first_day, last_day }) =>
    allDay({ uid: id, day: first_day, last_day, title: `${title}: no classes` }),
  )
  return {
    name,
    timeZone,
    today,
    entries: [...entries, ...holidayEntries, ...gradingEntries(rows)],
  }
}

function classEntries(
  { timetable, roster, seen, isOnlySelf }: CalendarRows,
  firstDay: string,
  lastDay: string,
): Entry[] {
  const seenIds = new Set(seen)
  const placeOf = new Map(timetable.classes.map(({ id, location }) => [id, location]))
  return classDatesBetween(timetable, firstDay, lastDay).flatMap((date) => {
    if (date.status === 'moved' || date.status === 'holiday') return []
    const people =
      roster &&
      peopleOn(roster, date).filter((person) => seenIds.has(person.student_id) && isComing(person))
    if (people?.length === 0) return []
    return [classEntry(date, isOnlySelf ? null : people, placeOf.get(date.class_id) ?? null)]
  })
}

const isComing = ({ state }: PersonOnDate) => state === 'expected' || state === 'has_place'
const NO_TIME = { start: null, end: null, details: null, place: null, is_cancelled: false }
const allDay = (entry: Pick<Entry, 'uid' | 'day' | 'last_day' | 'title'>): Entry => ({
  ...NO_TIME,
  ...entry,
})

const withNames = (people: readonly { student_name: string }[] | null, title: string) =>
  people ? `${firstNames(pluck(people, 'student_name'))}: ${title}` : title

function classEntry(date: ClassDate, people: PersonOnDate[] | null, place: string | null): Entry {
  const { class_id, class_name, day, status, reason, substitute, moved_from } = date
  const is_cancelled = status === 'cancelled'
  const start = minutesOf(date.start_time)
  return {
    uid: `${class_id}-${moved_from?.day ?? day}`,
    ...{ day, last_day: day, start, end: endOf(start, minutesOf(date.end_time)) },
    title: withNames(people, is_cancelled ? `${class_name} (canceled)` : class_name),
    details:
      [reason, substitute && `With ${substitute}`, start === null && date.time]
        .filter(Boolean)
        .join('\n') || null,
    place,
    is_cancelled,
  }
}

const HOUR = 60
const endOf = (start: number | null, end: number | null) =>
  start === null ? null : (endMinutesOf(start, end) ?? start + HOUR)

type Days = { from: string; until: string }
const GRADING_MINUTES = 2 * HOUR

type Grading = Pick<typeof gradings.$inferSelect, 'id' | 'name' | 'held_on' | 'held_at' | 'place'>
type InvitedStudent = { grading_id: string; student_name: string }

const findGradings = (tx: Tx, { from, until }: Days): Promise<Grading[]> =>
  tx
    .select(pick(gradings, 'id', 'name', 'held_on', 'held_at', 'place'))
    .from(gradings)
    .where(between(gradings.held_on, from, until))

const findInvited = (tx: Tx, studentIds: string[]): Promise<InvitedStudent[]> =>
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

function gradingEntries({
  gradings: gradingRows,
  invited,
  seen,
  isOnlySelf,
  beltTest,
}: CalendarRows): Entry[] {
  const invitedTo = Map.groupBy(invited, ({ grading_id }) => grading_id)
  return gradingRows.flatMap(({ id, name, held_on, held_at, place }) => {
    const people = seen && (invitedTo.get(id) ?? [])
    if (people?.length === 0) return []
    const [hour, minute] = (held_at ?? '').split(':').map(Number)
    const start = held_at ? hour! * HOUR + minute! : null
    const title = withNames(isOnlySelf ? null : people, `${beltTest}: ${name}`)
    return [
      {
        ...allDay({ uid: id, day: held_on, last_day: held_on, title }),
        start,
        end: start && start + GRADING_MINUTES,
        place,
      },
    ]
  })
}

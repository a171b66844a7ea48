import type { DojoClass } from '@tatami/contract/classes/classes'
import {
  classDatesBetween,
  type ClassDate,
  type DateException,
  type DojoTime,
  type HolidayDays,
  type Timetable,
} from '@tatami/contract/calendar/timetable'
import { and, asc, between, gte, lte, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { listClasses } from '../../classes/classes.ts'
import type { Tx } from '../../db/database.ts'
import { minuteIn, todayIn } from '../../dojos/calendar.ts'
import { dojoById } from '../../dojos/dojos.ts'
import { getCurrentLimits } from '../../lib/request-context.ts'
import { classDates, holidays } from './tables.ts'
import { pick } from '../../lib/rows.ts'

const exceptionColumns = {
  class_id: classDates.class_id,
  day: classDates.day,
  held_on: classDates.held_on,
  start_time: classDates.start_time,
  end_time: classDates.end_time,
  is_added: classDates.is_added,
  is_cancelled: classDates.is_cancelled,
  reason: classDates.reason,
  substitute: classDates.substitute,
  substitute_id: classDates.substitute_id,
}

/** Finds exceptions by their weekly day or actual day. Uses a union, because PostgreSQL would read
 *  all exceptions of the dojo for an `or`. */
const findExceptions = (tx: Tx, firstDay: string, lastDay: string): Promise<DateException[]> => {
  const selectByDay = (dayColumn: AnyPgColumn) =>
    tx
      .select(exceptionColumns)
      .from(classDates)
      .where(between(dayColumn, firstDay, lastDay))
  return selectByDay(classDates.day).union(selectByDay(classDates.held_on))
}

export const findHolidays = (tx: Tx, firstDay: string, lastDay: string) =>
  tx
    .select(pick(holidays, 'id', 'name', 'first_day', 'last_day'))
    .from(holidays)
    .where(and(lte(holidays.first_day, lastDay), gte(holidays.last_day, firstDay)))
    .orderBy(asc(holidays.first_day), asc(holidays.id))

export type TimetableRows = Omit<Timetable, 'holidays'> & {
  classes: DojoClass[]
  holidays: (HolidayDays & { id: string })[]
}

export async function readTimetable(
  tx: Tx,
  firstDay: string,
  lastDay: string,
): Promise<TimetableRows> {
  const classes = await listClasses(tx)
  return {
    classes,
    exceptions: await findExceptions(tx, firstDay, lastDay),
    holidays: await findHolidays(tx, firstDay, lastDay),
    oneDayClasses: getCurrentLimits()?.oneDayClasses ?? null,
  }
}

export async function findClassDate(
  tx: Tx,
  class_id: string,
  day: string,
): Promise<ClassDate | undefined> {
  return classDatesBetween(await readTimetable(tx, day, day), day, day).find(
    (date) => date.class_id === class_id,
  )
}

export async function readDojoTime(tx: Tx, dojoId: string): Promise<DojoTime> {
  const { time_zone } = await dojoById(tx, dojoId)
  return { day: todayIn(time_zone), minute: minuteIn(time_zone) }
}

export const isCanceledOrMoved = (class_id: SQL, day: SQL): SQL =>
  sql`exists (
    select from ${classDates} d
    where d.class_id = ${class_id} and d.held_on = ${day} and d.is_cancelled
    union all select from ${classDates} d
    where d.class_id = ${class_id} and d.day = ${day} and d.held_on <> d.day)`

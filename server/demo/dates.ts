import { addDays, nextWeekday, weekdayOf } from '@tatami/contract/lib/calendar-day'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { upcomingDates } from '@tatami/contract/calendar/timetable'
import { cancelDate, setSubstitute } from '../calendar/dates/changes.ts'
import { listClassDates } from '../calendar/dates/dates.ts'
import { addHoliday } from '../calendar/dates/holidays.ts'
import { askForPlace, setPlaces } from '../calendar/dates/places.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { readDojoTime, readTimetable } from '../calendar/timetable/timetable.ts'
import { firstRow } from '../lib/rows.ts'

const PLANNED_DAYS = 21
const HOLIDAY_AFTER_DAYS = 30
const CANCELED_AFTER_DAYS = 8

export function planHoliday(today: string): { first_day: string; last_day: string } {
  const first_day = nextWeekday('thursday', addDays(today, HOLIDAY_AFTER_DAYS))
  return { first_day, last_day: addDays(first_day, 1) }
}

/** Nobody trained on this day, because a text to everybody canceled all classes. */
export const ICY_DAYS_AGO = 4

export async function cancelIcyDay(
  tx: Tx,
  sensei: DojoCaller,
  classes: { id: string; class_days: string[] }[],
  day: string,
): Promise<void> {
  const weekday = weekdayOf(day)
  for (const { id: class_id } of classes.filter(({ class_days }) => class_days.includes(weekday)))
    await cancelDate(tx, sensei, {
      class_id,
      day,
      reason: 'Ice on the roads',
      gives_notice: false,
    })
}

type DemoClass = { id: string; limit?: number }

/** Plans class limits, a full class with a waitlist, a substitute, a canceled date and a
 *  holiday. */
export async function planDates(
  tx: Tx,
  sensei: DojoCaller,
  classes: DemoClass[],
  students: { id: string; enrolled_classes: string[] }[],
): Promise<void> {
  for (const { id, limit } of classes) if (limit) await setPlaces(tx, sensei, id, limit)
  const fullClass = classes.find(({ limit }) => limit === undefined)
  const dojoTime = await readDojoTime(tx, sensei.dojoId)
  const dates = upcomingDates(
    await readTimetable(tx, dojoTime.day, addDays(dojoTime.day, PLANNED_DAYS - 1)),
    dojoTime,
    PLANNED_DAYS,
  )
  const fullDate = dates.find((date) => date.class_id === fullClass?.id && date.day > dojoTime.day)
  const { class_id, day } = mustExist(fullDate, 'A date of the full class')
  const [{ expected } = { expected: null }] = await listClassDates(tx, sensei, {
    class_id,
    from: day,
    until: day,
  })
  await setPlaces(tx, sensei, class_id, Math.max(1, expected ?? 0))
  const guest = students.find(({ enrolled_classes }) => !enrolled_classes.includes(class_id))
  if (guest) await askForPlace(tx, sensei, { class_id, day, student_id: guest.id })
  const otherDates = dates.filter((date) => date.class_id !== class_id && date.day > dojoTime.day)
  const substituteDate = firstRow(otherDates)
  const canceledDate = mustExist(
    otherDates.find((date) => date.day > addDays(dojoTime.day, CANCELED_AFTER_DAYS)),
    'A date to cancel',
  )
  await setSubstitute(tx, sensei, {
    class_id: substituteDate.class_id,
    day: substituteDate.day,
    substitute: 'Kenji Mori',
  })
  await cancelDate(tx, sensei, {
    class_id: canceledDate.class_id,
    day: canceledDate.day,
    reason: 'Hall closed',
  })
  await addHoliday(tx, sensei, { name: 'School break', ...planHoliday(dojoTime.day) })
}

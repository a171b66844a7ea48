import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { DAY_MINUTES, findEndMinutes, parseMinutes } from '@tatami/contract/classes/classes'
import type { ClassDate } from '@tatami/contract/calendar/timetable'
import { toInstant } from '../calendar/feeds/instants.ts'
import { now, nowIso } from '../lib/clock.ts'

const MISSED_AFTER_MS = 2 * 3_600_000

/** The columns of a booking that follow from its class date: what the visitor is told, and when
 *  messages are due. */
export function bookedDate(date: ClassDate, timeZone: string) {
  const { class_id, class_name, day, time } = date
  const start = parseMinutes(date.start_time)
  const end = findEndMinutes(start, parseMinutes(date.end_time)) ?? DAY_MINUTES
  const startsAt = toInstant(day, start ?? 0, timeZone)
  const isWithinDay = startsAt.getTime() - now().getTime() < DAY_MS
  const endsAt = toInstant(day, end, timeZone)
  return {
    class_id,
    class_date: day,
    told_class: class_name,
    told_date: day,
    told_time: time,
    // The confirmation is reminder enough.
    reminded_at: isWithinDay ? nowIso() : null,
    missed_after: new Date(endsAt.getTime() + MISSED_AFTER_MS).toISOString(),
  }
}

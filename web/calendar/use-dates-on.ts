import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { isCalendarDate } from '@tatami/contract/lib/fields'
import { useQuery } from '@tanstack/react-query'
import { todaysDatesQuery } from './dates.ts'

/** The dates of all classes on a day; undefined until they are known, and without a network. */
export const useDatesOn = (day: string): DatedClass[] | undefined =>
  useQuery({ ...todaysDatesQuery(day), enabled: isCalendarDate(day) }).data

/** Of the dates of a day that of a class which takes place. */
export const dateHeld = (
  dates: readonly DatedClass[] | undefined,
  classId: string,
): DatedClass | undefined =>
  dates?.find(({ class_id, status }) => class_id === classId && status === 'on')

/** That of a class which does not; undefined where it takes place, or where that is not known. */
export const dateOff = (
  dates: readonly DatedClass[] | undefined,
  classId: string,
): DatedClass | undefined =>
  dateHeld(dates, classId) ? undefined : dates?.find(({ class_id }) => class_id === classId)

import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { isCalendarDate } from '@tatami/contract/lib/fields'
import { useQuery } from '@tanstack/react-query'
import { datesOnDayQuery } from './dates.ts'

export const useDatesOnDay = (day: string): DatedClass[] | undefined =>
  useQuery({ ...datesOnDayQuery(day), enabled: isCalendarDate(day) }).data

/** The date of a class that takes place */
export const findDateOn = (
  dates: readonly DatedClass[] | undefined,
  classId: string,
): DatedClass | undefined =>
  dates?.find(({ class_id, status }) => class_id === classId && status === 'on')

/** The date of a class that is canceled, moved away or on a holiday */
export const findCanceledDate = (
  dates: readonly DatedClass[] | undefined,
  classId: string,
): DatedClass | undefined =>
  findDateOn(dates, classId) ? undefined : dates?.find(({ class_id }) => class_id === classId)

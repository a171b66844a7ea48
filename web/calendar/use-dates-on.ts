import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { isCalendarDate } from '@tatami/contract/lib/fields'
import { useQuery } from '@tanstack/react-query'
import { todaysDatesQuery } from './dates.ts'

export const useDatesOn = (day: string): DatedClass[] | undefined =>
  useQuery({ ...todaysDatesQuery(day), enabled: isCalendarDate(day) }).data

export const dateHeld = (
  dates: readonly DatedClass[] | undefined,
  classId: string,
): DatedClass | undefined =>
  dates?.find(({ class_id, status }) => class_id === classId && status === 'on')

export const dateOff = (
  dates: readonly DatedClass[] | undefined,
  classId: string,
): DatedClass | undefined =>
  dateHeld(dates, classId) ? undefined : dates?.find(({ class_id }) => class_id === classId)

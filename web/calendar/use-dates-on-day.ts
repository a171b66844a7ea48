import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { isCalendarDate } from '@tatami/contract/lib/fields'
import { useQuery } from '@tanstack/react-query'
import { datesOnDayQuery } from './dates.ts'

export const useDatesOnDay = (day: string): DatedClass[] | undefined =>
  useQuery({ ...datesOnDayQuery(day), enabled: isCalendarDate(day) }).data

export const findDateOn = (
  dates: readonly DatedClass[] | undefined,
  classId: string,
): DatedClass | undefined =>
  dates?.find(({ class_id, status }) => class_id === classId && status === 'on')

export const findCanceledDate = (
  dates: readonly DatedClass[] | undefined,
  classId: string,
): DatedClass | undefined =>
  findDateOn(dates, classId) ? undefined : dates?.find(({ class_id }) => class_id === classId)

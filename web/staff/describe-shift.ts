import type { Shift } from '@tatami/contract/staff/hours'
import { formatWeekdayAndDay } from '../lib/dates.ts'
import { formatClock, formatClockRange } from '../lib/work-time.ts'

export const describeShift = ({ day, from, until }: Shift): string =>
  until === null
    ? `Started on ${formatWeekdayAndDay(day)} at ${formatClock(from)}, and never ended.`
    : `${formatWeekdayAndDay(day)}, ${formatClockRange(from, until)}, overlaps other hours.`

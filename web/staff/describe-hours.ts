import type { HoursEntry } from '@tatami/contract/staff/hours'
import { formatWeekdayAndDay } from '../lib/dates.ts'
import { formatClockRange, formatDuration } from '../lib/work-time.ts'

/** "Class: Kids", "Desk" */
export const describeTask = ({ task, class_name }: Pick<HoursEntry, 'task' | 'class_name'>) =>
  class_name === null ? task : `${task}: ${class_name}`

/** "Friday, November 20", "5:00 PM to 6:00 PM, 1 h" */
export const describeTimes = ({ day, from, until, minutes }: HoursEntry): string[] => [
  formatWeekdayAndDay(day),
  from !== null && until !== null
    ? `${formatClockRange(from, until)}, ${formatDuration(minutes)}`
    : formatDuration(minutes),
]

import type { AuditLine } from '@tatami/contract/sensei'
import { calendarDate, formatMonthOfDate } from '../lib/dates.ts'

type Words = (details: AuditLine['details']) => string

const WORDS: Record<string, Words> = {
  'sensei activated': () => 'Sensei account activated',
  'sensei deactivated': () => 'Sensei account deactivated',
  'sensei password reset': () => 'Sensei password reset',
  'student deleted': () => 'Student deleted',
  'daily limit set': ({ daily_message_limit }) => `Daily message limit set to ${Number(daily_message_limit).toLocaleString()}`,
  'month reset': ({ month, year, students_reset, total_paying_students }) =>
    `Payments of ${formatMonthOfDate(calendarDate(Number(year), Number(month), 1))} reset: ${students_reset} of ${total_paying_students} paying students`,
}

/** What was done, as one would say it; an act that is new here in its own words. */
export const auditWords = ({ action, details }: Pick<AuditLine, 'action' | 'details'>): string =>
  WORDS[action]?.(details) ?? action.charAt(0).toUpperCase() + action.slice(1)

import { firstDayOf } from '@tatami/contract/lib/calendar-day'
import type { AuditEntry } from '@tatami/contract/sensei/sensei'
import { formatMonthOfDate } from '../lib/dates.ts'

type Describe = (details: AuditEntry['details']) => string

const DESCRIPTIONS: Record<string, Describe> = {
  'sensei activated': () => 'Sensei account activated',
  'sensei deactivated': () => 'Sensei account deactivated',
  'sensei password reset': () => 'Sensei password reset',
  'second factor required': ({ super_admins, instructors }) =>
    `Second factor required of ${[super_admins && 'super admins', instructors && 'instructors'].filter(Boolean).join(' and ') || 'nobody'}`,
  'common passwords switched': ({ refuses_common }) =>
    `Common passwords ${refuses_common ? 'refused' : 'allowed'}`,
  'other sessions ended': ({ ended }) =>
    `Signed out on ${Number(ended)} other ${Number(ended) === 1 ? 'device' : 'devices'}`,
  'session ended': () => 'Signed out on one device',
  'student deleted': () => 'Student deleted',
  'daily limit set': ({ daily_message_limit }) =>
    `Daily message limit set to ${Number(daily_message_limit).toLocaleString()}`,
  'sibling prices set': () => 'Prices of siblings set',
  'month reset': ({ month, year, students_reset, total_paying_students }) =>
    `Payments of ${formatMonthOfDate(firstDayOf({ month: Number(month), year: Number(year) }))} reset: ${students_reset} of ${total_paying_students} paying students`,
}

/** A sentence for the entry's action; an action without a description is shown by its own name. */
export const describeAuditEntry = ({
  action,
  details,
}: Pick<AuditEntry, 'action' | 'details'>): string =>
  DESCRIPTIONS[action]?.(details) ?? action.charAt(0).toUpperCase() + action.slice(1)

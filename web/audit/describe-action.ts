import { actionPhrase } from '@tatami/contract/audit/actions'
import type { DescribedAction } from '@tatami/contract/audit/action-phrases'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { formatDate, formatMonthOfDate } from '../lib/dates.ts'

type RecordedAction = Pick<DescribedAction, 'actor' | 'subject' | 'student' | 'details'> & {
  action: string
}

/** For example "approved the student Maya Lopez". Uses the dojo's own name for a belt test. */
export const describeAction = (entry: RecordedAction): string =>
  actionPhrase(entry.action, {
    ...entry,
    beltTest: schoolBeltTestName().singular,
    formatDate,
    formatMonth: formatMonthOfDate,
  })

import { actionPhrase } from '@tatami/contract/audit/actions'
import type { DescribedAction } from '@tatami/contract/audit/action-phrases'
import { beltTest } from '../lib/belt-test.ts'
import { formatDate, formatMonthOfDate } from '../lib/dates.ts'

type RecordedAct = Pick<DescribedAction, 'actor' | 'subject' | 'student' | 'details'> & {
  action: string
}

/** "approved the student Maya Lopez", with the reader's dates and the dojo's words. */
export const describeAct = (act: RecordedAct): string =>
  actionPhrase(act.action, {
    ...act,
    beltTest: beltTest().singular,
    formatDate,
    formatMonth: formatMonthOfDate,
  })

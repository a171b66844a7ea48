import { actWords } from '@tatami/contract/audit/acts'
import type { DescribedAct } from '@tatami/contract/audit/act-words'
import { beltTest } from '../lib/belt-test.ts'
import { formatDate, formatMonthOfDate } from '../lib/dates.ts'

type RecordedAct = Pick<DescribedAct, 'actor' | 'subject' | 'student' | 'details'> & {
  action: string
}

/** "approved the student Maya Lopez", with the reader's dates and the dojo's words. */
export const describeAct = (act: RecordedAct): string =>
  actWords(act.action, {
    ...act,
    beltTest: beltTest().singular,
    formatDate,
    formatMonth: formatMonthOfDate,
  })

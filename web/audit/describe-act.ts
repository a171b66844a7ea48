import { actWords } from '@tatami/contract/audit/acts'
import type { DescribedAct } from '@tatami/contract/audit/act-words'
import { formatDate, formatMonthOfDate } from '../lib/dates.ts'

type RecordedAct = Omit<DescribedAct, 'formatDate' | 'formatMonth'> & { action: string }

/** "approved the student Maya Lopez", with dates in the reader's locale. */
export const describeAct = (act: RecordedAct): string =>
  actWords(act.action, { ...act, formatDate, formatMonth: formatMonthOfDate })

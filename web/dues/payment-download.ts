import type { Month } from '@tatami/contract/lib/calendar-day'
import { exportsApi } from '@tatami/contract/exports/exports'
import { formatMonth } from '../lib/month.ts'
import { pluralize } from '../lib/text.ts'
import type { ListFilterState } from './list-filter.ts'
import type { Payments } from './use-payments.ts'

/** The choices of the Download button. Null if the school has no students to bill. While the list
 *  loads or has no results, the button stays, so that the buttons next to it do not move. */
export function findPaymentsDownload(
  month: Month,
  payments: Payments,
  listFilter: ListFilterState,
) {
  if (!payments.isPending && payments.students.length === 0) return null
  const { visibleStudents, isFiltered } = listFilter
  const student_ids = visibleStudents.map(({ id }) => id)
  const monthChoice = isFiltered
    ? {
        label: `${formatMonth(month)}, ${pluralize(student_ids.length, 'student')}`,
        input: { body: { of: { ...month, student_ids } } },
      }
    : { label: `All of ${formatMonth(month)}`, input: { body: { of: month } } }
  return {
    endpoint: exportsApi.payments,
    allRows: { label: 'All payments from all months', input: { body: {} } },
    ...(student_ids.length > 0 && { visibleRows: monthChoice }),
  }
}
export type PaymentsDownload = ReturnType<typeof findPaymentsDownload>

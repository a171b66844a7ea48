import { LEAVE_REASON_LABELS } from '@tatami/contract/students/leaving'
import type { Student } from '@tatami/contract/students/students'
import { formatDate } from '../lib/dates.ts'
import { joinNonEmpty } from '../lib/text.ts'

/** "Left Nov 3, 2026 · Moved away" */
export const describeDeparture = ({
  left_on,
  left_reason,
}: Pick<Student, 'left_on' | 'left_reason'>): string =>
  joinNonEmpty(
    [left_on && `Left ${formatDate(left_on)}`, left_reason && LEAVE_REASON_LABELS[left_reason]],
    ' · ',
  )

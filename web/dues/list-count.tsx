import { joinNonEmpty, pluralize } from '../lib/text.ts'
import type { ListFilterState } from './list-filter.ts'
import type { Payments } from './use-payments.ts'
import kit from '../ui/kit.module.css'

type Props = { payments: Payments; listFilter: ListFilterState }

/** "42 students and 3 on trial". Empty while the list loads. */
export function ListCount({ payments, listFilter: { visibleStudents } }: Props) {
  const isLoaded = !payments.isPending && !payments.onRetry
  const trialCount = visibleStudents.filter((student) => student.is_trial).length
  const text = joinNonEmpty(
    [
      pluralize(visibleStudents.length - trialCount, 'student'),
      trialCount > 0 && `${trialCount} on trial`,
    ],
    ' and ',
  )
  return (
    <p role="status" className={kit.note}>
      {isLoaded ? text : '\u00a0'}
    </p>
  )
}

import { classDatesApi, type DatedClass } from '@tatami/contract/class-dates'
import { useQuery } from '@tanstack/react-query'
import { isCalendarDate } from '@tatami/contract/fields'
import { errorMessage } from '../lib/api.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { DateState } from './date-state.tsx'
import { DATE_READS, dayTitle, targetOf } from './dates.ts'

/** The date of a class on a day where it does not take place; undefined where it does, or where that is not known. */
export function useOffDate(classId: string, day: string): DatedClass | undefined {
  const { data: dates } = useQuery({
    ...endpointQuery(classDatesApi.list, { query: { class_id: classId, from: day, until: day } }),
    enabled: classId !== '' && isCalendarDate(day),
  })
  return dates?.some(({ status }) => status === 'on') ? undefined : dates?.[0]
}

/** Stands in the place of a roll: the class does not take place on that day, why, and the way to have it take place. */
export function OffNotice({ date }: { date: DatedClass }) {
  const restore = useEndpointMutation(classDatesApi.restore, { refreshes: DATE_READS })
  return (
    <EmptyState
      action={
        date.status === 'cancelled' && (
          <BusyButton
            variant="default"
            busy={restore.isPending}
            busyLabel="Restoring..."
            onClick={() => restore.mutate({ query: targetOf(date) })}
          >
            Restore
          </BusyButton>
        )
      }
    >
      {date.class_name}, {dayTitle(date.day)}
      <br />
      <DateState date={date} />
      <ErrorNotice>{restore.error && errorMessage(restore.error, 'The class could not be restored. Please try again.')}</ErrorNotice>
    </EmptyState>
  )
}

import { addDays } from '@tatami/contract/lib/calendar-day'
import { type Booking, trialsApi } from '@tatami/contract/trials/trials'
import { formatWeekdayAndDay, today } from '../lib/dates.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Loading } from '../ui/loading.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import rows from '../ui/rows.module.css'
import { TrialRow } from './trials.tsx'
import styles from './trials.module.css'
import kit from '../ui/kit.module.css'

const DAYS_BACK = 7
const DAYS_AHEAD = 60

/** Who comes to try a class, day by day. The past week is below, in case a mark is missing. */
export function TrialsPage() {
  const day = today()
  const trials = useRetryingQuery(
    endpointQuery(trialsApi.list, {
      query: { from: addDays(day, -DAYS_BACK), until: addDays(day, DAYS_AHEAD) },
    }),
  )
  const upcomingTrials = trials.data?.filter((booking) => booking.day >= day) ?? []
  const pastTrials = trials.data?.filter((booking) => booking.day < day) ?? []
  return (
    <div className={kit.stack}>
      <PageHeader title="Trials" subtitle="Visitors who booked a class" />
      {trials.data && upcomingTrials.length === 0 && <EmptyState>No trials booked</EmptyState>}
      <TrialDays bookings={upcomingTrials} />
      {pastTrials.length > 0 && (
        <>
          <h2 className={kit.title}>The last seven days</h2>
          <TrialDays bookings={pastTrials.toReversed()} />
        </>
      )}
      <Loading query={trials} error="The trials could not be loaded.">
        <Skeletons count={4} height={72} label="Loading the trials..." />
      </Loading>
    </div>
  )
}

const TrialDays = ({ bookings }: { bookings: readonly Booking[] }) =>
  [...Map.groupBy(bookings, ({ day }) => day)].map(([day, bookingsOfDay]) => (
    <section key={day} className={kit.stackTight}>
      <h3 className={kit.titleSmall}>{formatWeekdayAndDay(day)}</h3>
      <ul className={`${rows.list} ${kit.card} ${styles.list}`}>
        {bookingsOfDay.map((booking) => (
          <TrialRow key={booking.id} booking={booking} showsClass />
        ))}
      </ul>
    </section>
  ))

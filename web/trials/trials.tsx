import { Button } from '@mantine/core'
import { IconCheck, IconPhone, IconX } from '@tabler/icons-react'
import { type Booking, type BookingMark, trialsApi } from '@tatami/contract/trials/trials'
import { formatMoney } from '@tatami/contract/lib/money'
import { failureMessage } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { Badge } from '../ui/badge.tsx'
import { Loading } from '../ui/loading.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import rows from '../ui/rows.module.css'
import { Skeletons } from '../ui/skeletons.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './trials.module.css'
import kit from '../ui/kit.module.css'

type RollProps = { classId: string; day: string }

/** The visitors below the students on a roll. */
export function RollTrials({ classId, day }: RollProps) {
  const trials = useRetryingQuery(
    endpointQuery(trialsApi.list, { query: { from: day, until: day } }),
  )
  return (
    <section aria-label="Trials" className={kit.stackTight}>
      <h3 className={kit.titleSmall}>Trials</h3>
      <ul className={rows.list}>
        {trials.data
          ?.filter(({ class_id }) => class_id === classId)
          .map((booking) => (
            <TrialRow key={booking.id} booking={booking} />
          ))}
      </ul>
      <Loading query={trials} error="The trials could not be loaded.">
        <Skeletons count={1} height={72} label="Loading the trials..." />
      </Loading>
    </section>
  )
}

type RowProps = {
  booking: Booking
  /** False on a roll, which says which class and day it is for. */
  showsClass?: boolean
}

/** A visitor with the contact at one tap, and whether they came. */
export function TrialRow({ booking, showsClass = false }: RowProps) {
  const { visitor_name, visitor_age, nth_visit, contact_name, likely_person } = booking
  const { state, missing_papers, paid } = booking
  const isMinor = contact_name !== null && contact_name !== visitor_name
  return (
    <li>
      <div className={rows.text}>
        <span className={`${kit.name} ${rows.name}`}>
          {visitor_name} <Badge tone="blue">Trial</Badge>
          {state === 'waiting' && <Badge tone="orange">Waitlist</Badge>}
          {state === 'paying' && <Badge tone="orange">Paying now</Badge>}
        </span>
        <span className={kit.facts}>
          {showsClass && <span>{joinNonEmpty([booking.time, booking.class_name])}</span>}
          <span>Age {visitor_age}</span>
          {nth_visit > 1 && <span>Trial no. {nth_visit}</span>}
          {isMinor && <span>With {contact_name}</span>}
          {paid !== null && <span>Paid {formatMoney(paid)}</span>}
          {likely_person && <span>May be {likely_person}</span>}
          {missing_papers.length > 0 && (
            <span className={kit.orange}>Not signed: {missing_papers.join(', ')}</span>
          )}
        </span>
      </div>
      <div className={styles.actions}>
        <CallButton booking={booking} />
        {state === 'held' && <ApproveButtons booking={booking} />}
        {canBeMarked(booking) && <MarkButtons booking={booking} />}
      </div>
    </li>
  )
}

const canBeMarked = ({ state, day }: Booking): boolean =>
  day <= today() && state !== 'held' && state !== 'waiting' && state !== 'paying'

function CallButton({ booking: { phone, contact_name } }: { booking: Booking }) {
  if (phone === null) return null
  return (
    <Button
      component="a"
      href={`tel:${phone}`}
      variant="default"
      px="sm"
      leftSection={<IconPhone size={18} aria-hidden />}
    >
      Call<VisuallyHidden>{` ${contact_name}`}</VisuallyHidden>
    </Button>
  )
}

const MARKS = [
  { state: 'came', label: 'Came', MarkIcon: IconCheck, color: 'green' },
  { state: 'missed', label: 'Missed', MarkIcon: IconX, color: 'red' },
] as const

/** A second press on the same button takes the mark back. */
function MarkButtons({ booking }: { booking: Booking }) {
  const mark = useEndpointMutation(trialsApi.mark, {
    refreshes: [trialsApi.list],
    waitsForRefresh: true,
  })
  const toggle = (state: BookingMark) =>
    mark.mutate({
      params: { id: booking.id },
      body: { state: booking.state === state ? 'booked' : state },
    })
  return (
    <>
      {MARKS.map(({ state, label, MarkIcon, color }) => (
        <Button
          key={state}
          px="sm"
          variant={booking.state === state ? 'filled' : 'default'}
          color={booking.state === state ? color : undefined}
          aria-pressed={booking.state === state}
          leftSection={<MarkIcon size={18} aria-hidden />}
          disabled={mark.isPending}
          onClick={() => toggle(state)}
        >
          {label}
          <VisuallyHidden>{` ${booking.visitor_name}`}</VisuallyHidden>
        </Button>
      ))}
      <ErrorNotice>
        {failureMessage(mark, 'This could not be saved. Please try again.')}
      </ErrorNotice>
    </>
  )
}

function ApproveButtons({ booking: { id, visitor_name } }: { booking: Booking }) {
  const options = { refreshes: [trialsApi.list], waitsForRefresh: true }
  const approve = useEndpointMutation(trialsApi.approve, options)
  const cancel = useEndpointMutation(trialsApi.cancel, options)
  return (
    <>
      <Button loading={approve.isPending} onClick={() => approve.mutate({ params: { id } })}>
        Accept<VisuallyHidden>{` ${visitor_name}`}</VisuallyHidden>
      </Button>
      <Button
        variant="default"
        loading={cancel.isPending}
        onClick={() => cancel.mutate({ params: { id } })}
      >
        Decline<VisuallyHidden>{` ${visitor_name}`}</VisuallyHidden>
      </Button>
      <ErrorNotice>
        {failureMessage(approve, 'This could not be saved. Please try again.') ??
          failureMessage(cancel, 'This could not be saved. Please try again.')}
      </ErrorNotice>
    </>
  )
}

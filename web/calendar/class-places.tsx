import { Button } from '@mantine/core'
import { classDatesApi, type DatedClass } from '@tatami/contract/calendar/class-dates'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './class-places.module.css'
import { DATE_READS, dayTitle, keyOfDate, targetOf } from './dates.ts'
import kit from '../ui/kit.module.css'

const FIRST = 3

type Student = { id: string; name?: string }

type Props = { student: Student; dates: readonly DatedClass[] }

export function ClassPlaces({ student, dates }: Props) {
  const [showsAll, setShowsAll] = useState(false)
  const isIn = (date: DatedClass) =>
    date.students.some(({ student_id }) => student_id === student.id)
  const visibleDates = showsAll
    ? dates
    : [...dates.filter(isIn), ...dates.filter((date) => !isIn(date)).slice(0, FIRST)]
  return (
    <section
      className={styles.places}
      aria-label={student.name ? `Places for ${student.name}` : 'Places'}
    >
      <h3 className={kit.titleSmall}>Classes with places</h3>
      <ul className={`${kit.hairlines} ${styles.dates}`}>
        {visibleDates.map((date) => (
          <PlaceRow key={keyOfDate(date)} student={student} date={date} />
        ))}
      </ul>
      {visibleDates.length < dates.length && (
        <Button variant="subtle" onClick={() => setShowsAll(true)}>
          Show all {dates.length}
        </Button>
      )}
    </section>
  )
}

/** "You are number 2 on the waitlist" */
const inQueue = (name: string | undefined, position: number | null) =>
  `${name ? `${name} is` : 'You are'} number ${position ?? 1} on the waitlist`

function PlaceRow({ student: { id, name }, date }: { student: Student; date: DatedClass }) {
  const ask = useEndpointMutation(classDatesApi.askForPlace, { refreshes: DATE_READS })
  const giveBack = useEndpointMutation(classDatesApi.giveBackPlace, { refreshes: DATE_READS })
  const request = date.students.find(({ student_id }) => student_id === id)
  const error = ask.error ?? giveBack.error
  const target = { ...targetOf(date), student_id: id }
  const busy = ask.isPending || giveBack.isPending
  const isFull = date.free_places === 0
  const buttonDetails = joinNonEmpty([name, date.class_name, dayTitle(date.day)])
  const words = request
    ? request.state === 'waiting'
      ? inQueue(name, request.position)
      : `${name ? `${name} has` : 'You have'} a place`
    : isFull
      ? 'All places are taken'
      : `${date.free_places} of ${date.places} places free`
  const actionLabel = request
    ? request.state === 'waiting'
      ? 'Leave waitlist'
      : 'Can’t come'
    : isFull
      ? 'Join waitlist'
      : 'Take a place'
  return (
    <li>
      <div className={styles.what}>
        <span className={kit.name}>{date.class_name}</span>
        <span className={kit.muted}>
          <span className={kit.whole}>{dayTitle(date.day)} ·</span>{' '}
          <span className={kit.whole}>{date.time}</span>
        </span>
        <span role="status" className={request ? `${kit.strong} ${kit.blue}` : kit.muted}>
          {words}
        </span>
      </div>
      <BusyButton
        variant={request ? 'default' : 'light'}
        busy={busy}
        busyLabel="Saving..."
        onClick={() =>
          request ? giveBack.mutate({ query: target }) : ask.mutate({ body: target })
        }
      >
        {actionLabel}
        <VisuallyHidden>{` (${buttonDetails})`}</VisuallyHidden>
      </BusyButton>
      <ErrorNotice>{failureMessage({ error }, 'This could not be saved.')}</ErrorNotice>
    </li>
  )
}

import { Button } from '@mantine/core'
import {
  classDatesApi,
  type DatedClass,
  type StudentOnDate,
} from '@tatami/contract/calendar/class-dates'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './class-places.module.css'
import { CLASS_DATE_QUERIES, dayTitle, dateKey, dateTarget } from './dates.ts'
import kit from '../ui/kit.module.css'

type Student = { id: string; name?: string }

type Props = { student: Student; dates: readonly DatedClass[] }

/** The classes that the student asked for. Others, such as the adults' class, are shown on request. */
export function ClassPlaces({ student, dates }: Props) {
  const [showsOthers, setShowsOthers] = useState(false)
  const visibleDates = showsOthers
    ? dates
    : dates.filter((date) => date.students.some(({ student_id }) => student_id === student.id))
  return (
    <section
      className={styles.places}
      aria-label={student.name ? `Places for ${student.name}` : 'Places'}
    >
      {visibleDates.length > 0 && (
        <>
          <h3 className={kit.titleSmall}>Classes with places</h3>
          <ul className={`${kit.hairlines} ${styles.dates}`}>
            {visibleDates.map((date) => (
              <PlaceRow key={dateKey(date)} student={student} date={date} />
            ))}
          </ul>
        </>
      )}
      {visibleDates.length < dates.length && (
        <Button variant="subtle" className={styles.others} onClick={() => setShowsOthers(true)}>
          Come to another class
          <VisuallyHidden>{student.name && ` (${student.name})`}</VisuallyHidden>
        </Button>
      )}
    </section>
  )
}

const waitlistText = (name: string | undefined, position: number | null) =>
  `${name ? `${name} is` : 'You are'} number ${position ?? 1} on the waitlist`

function describeRequest(name: string | undefined, { state, position }: StudentOnDate) {
  if (state === 'waiting') return { status: waitlistText(name, position), action: 'Leave waitlist' }
  return { status: `${name ? `${name} has` : 'You have'} a place`, action: 'Can’t come' }
}

const describeFreePlaces = ({ free_places, places }: DatedClass) =>
  free_places === 0
    ? { status: 'All places are taken', action: 'Join waitlist' }
    : { status: `${free_places} of ${places} places free`, action: 'Take a place' }

function PlaceRow({ student: { id, name }, date }: { student: Student; date: DatedClass }) {
  const askForPlace = useEndpointMutation(classDatesApi.askForPlace, {
    refreshes: CLASS_DATE_QUERIES,
  })
  const giveBackPlace = useEndpointMutation(classDatesApi.giveBackPlace, {
    refreshes: CLASS_DATE_QUERIES,
  })
  const request = date.students.find(({ student_id }) => student_id === id)
  const error = askForPlace.error ?? giveBackPlace.error
  const target = { ...dateTarget(date), student_id: id }
  const busy = askForPlace.isPending || giveBackPlace.isPending
  const buttonDetails = joinNonEmpty([name, date.class_name, dayTitle(date.day)])
  const { status, action } = request ? describeRequest(name, request) : describeFreePlaces(date)
  return (
    <li>
      <div className={styles.details}>
        <span className={kit.name}>{date.class_name}</span>
        <span className={kit.muted}>
          <span className={kit.keepTogether}>{dayTitle(date.day)}&nbsp;·</span>{' '}
          <span className={kit.keepTogether}>{date.time}</span>
        </span>
        <span role="status" className={request ? `${kit.strong} ${kit.blue}` : kit.muted}>
          {status}
        </span>
      </div>
      <BusyButton
        variant={request ? 'default' : 'light'}
        busy={busy}
        busyLabel="Saving..."
        onClick={() =>
          request ? giveBackPlace.mutate({ query: target }) : askForPlace.mutate({ body: target })
        }
      >
        {action}
        <VisuallyHidden>{` (${buttonDetails})`}</VisuallyHidden>
      </BusyButton>
      <ErrorNotice>{failureMessage({ error }, 'This could not be saved.')}</ErrorNotice>
    </li>
  )
}

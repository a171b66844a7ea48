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
import { OtherClassesSheet } from './other-classes-sheet.tsx'
import styles from './class-places.module.css'
import { CLASS_DATE_QUERIES, formatDayTitle, dateKey, dateTarget } from './dates.ts'
import kit from '../ui/kit.module.css'

const NOT_SAVED = 'This could not be saved. Please try again.'

type Student = { id: string; name?: string }

type Props = { student: Student; dates: readonly DatedClass[] }

/** Lists the classes in which the student has a place or is on the waitlist. A button opens the
 *  list of the other classes. */
export function ClassPlaces({ student, dates }: Props) {
  const [isChoosing, setIsChoosing] = useState(false)
  const isRequested = (date: DatedClass) => findRequest(date, student) !== undefined
  const requestedDates = dates.filter(isRequested)
  const otherDates = dates.filter((date) => !isRequested(date))
  return (
    <section
      className={styles.places}
      aria-label={student.name ? `Places for ${student.name}` : 'Places'}
    >
      {requestedDates.length > 0 && (
        <>
          <h3 className={kit.titleSmall}>Classes with places</h3>
          <ul className={`${kit.hairlines} ${styles.dates}`}>
            {requestedDates.map((date) => (
              <PlaceRow key={dateKey(date)} student={student} date={date} />
            ))}
          </ul>
        </>
      )}
      {otherDates.length > 0 && (
        <Button variant="subtle" className={styles.others} onClick={() => setIsChoosing(true)}>
          Come to another class
          <VisuallyHidden>{student.name && ` (${student.name})`}</VisuallyHidden>
        </Button>
      )}
      {isChoosing && (
        <OtherClassesSheet
          student={student}
          dates={otherDates}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </section>
  )
}

const findRequest = (date: DatedClass, { id }: Student) =>
  date.students.find(({ student_id }) => student_id === id)

function describeRequest(name: string | undefined, { state, position }: StudentOnDate) {
  if (state === 'waiting')
    return {
      status: `${name ? `${name} is` : 'You are'} number ${position ?? 1} on the waitlist`,
      action: 'Leave waitlist',
    }
  return { status: `${name ? `${name} has` : 'You have'} a place`, action: 'Can’t come' }
}

function PlaceRow({ student, date }: { student: Student; date: DatedClass }) {
  const { id, name } = student
  const giveBackPlace = useEndpointMutation(classDatesApi.giveBackPlace, {
    refreshes: CLASS_DATE_QUERIES,
  })
  const request = findRequest(date, student)
  if (!request) return null
  const { status, action } = describeRequest(name, request)
  const buttonDetails = joinNonEmpty([name, date.class_name, formatDayTitle(date.day)])
  return (
    <li>
      <div className={styles.details}>
        <span className={kit.name}>{date.class_name}</span>
        <span className={kit.muted}>
          <span className={kit.keepTogether}>{formatDayTitle(date.day)},</span>{' '}
          <span className={kit.keepTogether}>{date.time}</span>
        </span>
        <span role="status" className={`${kit.strong} ${kit.blue}`}>
          {status}
        </span>
      </div>
      <BusyButton
        variant="default"
        busy={giveBackPlace.isPending}
        busyLabel="Saving..."
        onClick={() => giveBackPlace.mutate({ query: { ...dateTarget(date), student_id: id } })}
      >
        {action}
        <VisuallyHidden>{` (${buttonDetails})`}</VisuallyHidden>
      </BusyButton>
      <ErrorNotice>{failureMessage(giveBackPlace, NOT_SAVED)}</ErrorNotice>
    </li>
  )
}

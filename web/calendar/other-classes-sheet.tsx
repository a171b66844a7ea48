import { Button, Stack } from '@mantine/core'
import { classDatesApi, type DatedClass } from '@tatami/contract/calendar/class-dates'
import { firstName } from '@tatami/contract/lib/name-parts'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './class-places.module.css'
import { CLASS_DATE_QUERIES, dateKey, dateTarget, formatDayTitle } from './dates.ts'
import kit from '../ui/kit.module.css'

type Student = { id: string; name?: string }
type Props = { student: Student; dates: readonly DatedClass[]; onClose: () => void }

/** Lists other classes with free places. A dialog asks the student to confirm the choice. */
export function OtherClassesSheet({ student, dates, onClose }: Props) {
  const [selectedDate, setSelectedDate] = useState<DatedClass>()
  const datesByDay = Map.groupBy(dates, ({ day }) => day)
  return (
    <Sheet
      opened
      onClose={onClose}
      title={`Come to another class${student.name ? ` (${student.name})` : ''}`}
    >
      <Stack gap="md">
        {[...datesByDay].map(([day, datesOfDay]) => (
          <section key={day} aria-label={formatDayTitle(day)}>
            <h3 className={kit.titleSmall}>{formatDayTitle(day)}</h3>
            <ul className={`${kit.hairlines} ${styles.dates}`}>
              {datesOfDay.map((date) => (
                <FreeClassRow
                  key={dateKey(date)}
                  date={date}
                  onSelect={() => setSelectedDate(date)}
                />
              ))}
            </ul>
          </section>
        ))}
      </Stack>
      {selectedDate && (
        <PlaceQuestion
          student={student}
          date={selectedDate}
          onClose={() => setSelectedDate(undefined)}
          onPlaceTaken={onClose}
        />
      )}
    </Sheet>
  )
}

const FreeClassRow = ({ date, onSelect }: { date: DatedClass; onSelect: () => void }) => (
  <li>
    <div className={styles.details}>
      <span className={kit.name}>{date.class_name}</span>
      <span className={kit.muted}>
        <span className={kit.keepTogether}>{date.time}&nbsp;·</span>{' '}
        <span className={kit.keepTogether}>{`${date.free_places} of ${date.places} free`}</span>
      </span>
    </div>
    <Button variant="light" onClick={onSelect}>
      Take a place
      <VisuallyHidden>{` (${date.class_name}, ${formatDayTitle(date.day)})`}</VisuallyHidden>
    </Button>
  </li>
)

type QuestionProps = {
  student: Student
  date: DatedClass
  onClose: () => void
  onPlaceTaken: () => void
}

function PlaceQuestion({ student: { id, name }, date, onClose, onPlaceTaken }: QuestionProps) {
  const askForPlace = useEndpointMutation(classDatesApi.askForPlace, {
    refreshes: CLASS_DATE_QUERIES,
    onSuccess: onPlaceTaken,
  })
  const ownClasses = name ? `${firstName(name)}’s classes` : 'your classes'
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => askForPlace.mutate({ body: { ...dateTarget(date), student_id: id } })}
      title={joinNonEmpty([date.class_name, formatDayTitle(date.day)])}
      confirmLabel="Take a place"
      busy={askForPlace.isPending}
      busyLabel="Saving..."
      error={failureMessage(askForPlace, 'This could not be saved. Please try again.')}
    >
      {date.class_name} is not one of {ownClasses}. Take a place?
    </ConfirmDialog>
  )
}

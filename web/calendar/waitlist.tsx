import { Button } from '@mantine/core'
import {
  classDatesApi,
  type DatedClass,
  type StudentOnDate,
} from '@tatami/contract/calendar/class-dates'
import { WithRight } from '../ui/with-right.tsx'
import { failureMessage } from '../lib/api.ts'
import { formatTimeOrDate } from '../lib/dates.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { CLASS_DATE_QUERIES, describeDate, dateTarget } from './dates.ts'
import type { DateOutcome } from './outcome-bar.tsx'
import styles from './waitlist.module.css'
import kit from '../ui/kit.module.css'

type Props = { date: DatedClass; onDone: (outcome: DateOutcome) => void }

export const hasWaitlist = ({ status, waiting }: DatedClass): boolean =>
  status === 'on' && Boolean(waiting)

export const Waitlist = ({ date, onDone }: Props) => (
  <ol className={styles.list} aria-label={`Waitlist for ${describeDate(date)}`}>
    {date.students
      .filter(({ state }) => state === 'waiting')
      .map((student) => (
        <WaitingStudent key={student.student_id} date={date} student={student} onDone={onDone} />
      ))}
  </ol>
)

type StudentProps = Props & { student: StudentOnDate }

function WaitingStudent({ date, student, onDone }: StudentProps) {
  const { student_id, student_name: name, position, asked_at } = student
  const givePlace = useEndpointMutation(classDatesApi.givePlace, {
    refreshes: CLASS_DATE_QUERIES,
    onSuccess: () =>
      onDone({ message: `${name} has a place in ${describeDate(date)} and was notified.` }),
  })
  return (
    <li>
      <span className={styles.student}>
        {position}. <StudentLink id={student_id}>{name}</StudentLink>{' '}
        <span className={`${kit.note} ${styles.askedAt}`}>
          {asked_at && `asked ${formatTimeOrDate(asked_at)}`}
        </span>
      </span>
      <WithRight right={classDatesApi.givePlace.right}>
        <Button
          variant="light"
          loading={givePlace.isPending}
          onClick={() => givePlace.mutate({ body: { ...dateTarget(date), student_id } })}
        >
          Give a place<VisuallyHidden>{` to ${name}`}</VisuallyHidden>
        </Button>
      </WithRight>
      <ErrorNotice>
        {failureMessage(givePlace, 'The place could not be given. Please try again.')}
      </ErrorNotice>
    </li>
  )
}

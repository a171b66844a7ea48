import { Button } from '@mantine/core'
import {
  classDatesApi,
  type DatedClass,
  type StudentOnDate,
} from '@tatami/contract/calendar/class-dates'
import { failureMessage } from '../lib/api.ts'
import { formatTimeOrDate } from '../lib/dates.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { DATE_READS, dateName, targetOf } from './dates.ts'
import type { Outcome } from './outcome-bar.tsx'
import styles from './waiting-list.module.css'
import kit from '../ui/kit.module.css'

type Props = { date: DatedClass; onDone: (outcome: Outcome) => void }

export const isWaitedFor = ({ status, waiting }: DatedClass): boolean =>
  status === 'on' && Boolean(waiting)

export const WaitingList = ({ date, onDone }: Props) => (
  <ol className={styles.list} aria-label={`Waitlist of ${dateName(date)}`}>
    {date.students
      .filter(({ state }) => state === 'waiting')
      .map((student) => (
        <Waiting key={student.student_id} date={date} student={student} onDone={onDone} />
      ))}
  </ol>
)

function Waiting({
  date,
  student: { student_id, student_name: name, position, asked_at },
  onDone,
}: Props & { student: StudentOnDate }) {
  const give = useEndpointMutation(classDatesApi.givePlace, {
    refreshes: DATE_READS,
    onSuccess: () =>
      onDone({ words: `${name} has a place in ${dateName(date)} and was notified.` }),
  })
  return (
    <li>
      <span className={styles.who}>
        {position}. <StudentLink id={student_id}>{name}</StudentLink>{' '}
        <span className={`${kit.note} ${styles.asked}`}>
          {asked_at && `asked ${formatTimeOrDate(asked_at)}`}
        </span>
      </span>
      <Button
        variant="light"
        loading={give.isPending}
        onClick={() => give.mutate({ body: { ...targetOf(date), student_id } })}
      >
        Give place<VisuallyHidden>{` to ${name}`}</VisuallyHidden>
      </Button>
      <ErrorNotice>
        {failureMessage(give, 'The place could not be given. Please try again.')}
      </ErrorNotice>
    </li>
  )
}

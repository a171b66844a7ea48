import { VisuallyHidden } from '@mantine/core'
import { IconCalendarOff } from '@tabler/icons-react'
import { attendanceApi } from '@tatami/contract/attendance'
import { type ClassOccurrence, classesApi, timeRange, unmarkedClasses, upcomingClasses } from '@tatami/contract/classes'
import { excusesApi } from '@tatami/contract/excuses'
import type { Child } from '@tatami/contract/family-home'
import { errorMessage } from '../lib/api.ts'
import { formatWeekdayAndDay, hourNow, today } from '../lib/dates.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice, RetryNotice } from '../ui/notices.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { useExcuse, useTakeBackExcuse } from './excuses.ts'
import styles from './next-class.module.css'

/** On a desktop two lines beside the button, on a phone three above it. */
const Loading = () => <SkeletonBlock height={useLayout() === 'desktop' ? '3rem' : '7.75rem'} />

const excusesQuery = endpointQuery(excusesApi.list, { query: {} })

type OwnProps = { student: { id: string; enrolled_classes: readonly string[] }; noClass: string }

/** The next class of the student who is signed in. */
export function OwnNextClass({ student, noClass }: OwnProps) {
  const classes = useRetryingQuery(endpointQuery(classesApi.list))
  const marks = useRetryingQuery(endpointQuery(attendanceApi.list, { query: { student_id: student.id, limit: MARKS } }))
  // Asked for together with the others, and shown below.
  const excuses = useRetryingQuery(excusesQuery)
  const failed = [classes, marks, excuses].find(({ isUnavailable }) => isUnavailable)
  if (failed) return <RetryNotice onRetry={failed.retry}>The next class could not be loaded.</RetryNotice>
  if (!classes.data || !marks.data) return <Loading />
  const mine = classes.data.filter(({ id }) => student.enrolled_classes.includes(id))
  const [next] = unmarkedClasses(upcomingClasses(mine, { day: today(), hour: hourNow() }), marks.data)
  return <NextClass student={student} next={next ? asNext(next) : null} noClass={noClass} />
}

const asNext = ({ dojoClass, day }: ClassOccurrence) => ({
  class_id: dojoClass.id,
  class_name: dojoClass.class_name,
  class_date: day,
  class_time: timeRange(dojoClass),
})

/** Enough for those of today and later, which come first. */
const MARKS = 10

/** The name where several students stand on one screen. */
type Props = { student: { id: string; name?: string }; next: Child['next_class']; noClass: string }

/** The next class of a student, with the way to say that they cannot come. */
export function NextClass({ student, next, noClass }: Props) {
  const excuses = useRetryingQuery(excusesQuery)
  if (excuses.isUnavailable) return <RetryNotice onRetry={excuses.retry}>The next class could not be loaded.</RetryNotice>
  if (!excuses.data) return <Loading />
  if (!next) return <p className={styles.none}>{noClass}</p>
  const { class_id, class_date } = next
  const isExcused = excuses.data.some((one) => one.student_id === student.id && one.class_id === class_id && one.class_date === class_date)
  return (
    <div className={styles.next}>
      <div className={styles.what}>
        <span className={styles.name}>{next.class_name}</span>
        <span className={styles.about}>
          {dayWords(class_date)} · <span className={styles.time}>{next.class_time}</span>
        </span>
        {isExcused && (
          <span className={styles.excused}>
            <IconCalendarOff size={18} aria-hidden />
            Excused
          </span>
        )}
      </div>
      <ExcuseButton target={{ student_id: student.id, class_id, class_date }} isExcused={isExcused} name={student.name} />
    </div>
  )
}

const dayWords = (day: string) => (day === today() ? 'Today' : formatWeekdayAndDay(day))

type ButtonProps = { target: { student_id: string; class_id: string; class_date: string }; isExcused: boolean; name: string | undefined }

function ExcuseButton({ target, isExcused, name }: ButtonProps) {
  const excuse = useExcuse(),
    takeBack = useTakeBackExcuse()
  const error = excuse.error ?? takeBack.error
  const forStudent = name && <VisuallyHidden>{` (${name})`}</VisuallyHidden>
  return (
    <>
      {isExcused ? (
        <BusyButton variant="default" busy={takeBack.isPending} busyLabel="Saving..." onClick={() => takeBack.mutate({ query: target })}>
          Can come after all{forStudent}
        </BusyButton>
      ) : (
        <BusyButton variant="light" busy={excuse.isPending} busyLabel="Saving..." onClick={() => excuse.mutate({ body: target })}>
          Can’t come{forStudent}
        </BusyButton>
      )}
      <ErrorNotice>{error && errorMessage(error, 'This could not be saved.')}</ErrorNotice>
    </>
  )
}

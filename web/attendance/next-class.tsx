import { IconCalendarOff, IconCheck, IconHourglass } from '@tabler/icons-react'
import { attendanceApi } from '@tatami/contract/attendance/attendance'
import {
  classDatesApi,
  type DatedClass,
  type StudentOnDate,
} from '@tatami/contract/calendar/class-dates'
import { isOver } from '@tatami/contract/calendar/timetable'
import type { Child } from '@tatami/contract/families/family-home'
import { failureMessage } from '../lib/api.ts'
import { minuteNow, today } from '../lib/dates.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { DateState } from '../calendar/date-state.tsx'
import { DATE_READS, dayTitle, keyOfDate, targetOf } from '../calendar/dates.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ErrorNotice, RetryNotice } from '../ui/notices.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { useExcuse, useUndoExcuse } from './excuses.ts'
import styles from './next-class.module.css'
import kit from '../ui/kit.module.css'

const ClassPlaces = lazyComponent(() => import('../calendar/class-places.tsx'), 'ClassPlaces')

const Loading = () => <SkeletonBlock height={useLayout() === 'desktop' ? '3rem' : '7.75rem'} />

/** Two weeks of own or children's classes, and of dates with places to ask for. */
const datesQuery = endpointQuery(classDatesApi.list, { query: { with_places: 'true' } })

type OwnProps = { studentId: string; noClass: string }

/** The first class in which the signed-in student is not marked yet. */
export function OwnNextClass({ studentId, noClass }: OwnProps) {
  const dates = useRetryingQuery(datesQuery)
  const marks = useRetryingQuery(
    endpointQuery(attendanceApi.list, { query: { student_id: studentId, limit: MAX_MARKS } }),
  )
  const failedRequest = [dates, marks].find(({ isUnavailable }) => isUnavailable)
  if (failedRequest)
    return (
      <RetryNotice onRetry={failedRequest.retry}>The next class could not be loaded.</RetryNotice>
    )
  if (!dates.data || !marks.data) return <Loading />
  const markedDates = new Set(
    marks.data.map(({ class_id, class_date }) => `${class_id} ${class_date.slice(0, 10)}`),
  )
  const next = datesToCome(dates.data).find(
    (date) =>
      date.status === 'on' && isComing(date, studentId) && !markedDates.has(keyOfDate(date)),
  )
  return (
    <NextClass
      student={{ id: studentId }}
      next={next ? { ...next, class_date: next.day, class_time: next.time } : null}
      noClass={noClass}
    />
  )
}

/** Covers today and later, which come first. */
const MAX_MARKS = 10

const datesToCome = (dates: readonly DatedClass[]) => {
  const now = { day: today(), minute: minuteNow() }
  return dates.filter((date) => !isOver(date, now))
}
const onDate = (date: DatedClass, id: string) =>
  date.students.find(({ student_id }) => student_id === id)
const isComing = (date: DatedClass, id: string) =>
  !['waiting', 'away', undefined].includes(onDate(date, id)?.state)

/** `name` is for screens with several students. */
type Props = { student: { id: string; name?: string }; next: Child['next_class']; noClass: string }

/** Lists canceled and moved dates before the next class. */
export function NextClass({ student, next, noClass }: Props) {
  const dates = useRetryingQuery(datesQuery)
  if (dates.isUnavailable)
    return <RetryNotice onRetry={dates.retry}>The next class could not be loaded.</RetryNotice>
  if (!dates.data) return <Loading />
  const upcomingDates = datesToCome(dates.data)
  const nextDate =
    next &&
    upcomingDates.find(
      (date) =>
        date.status === 'on' && date.class_id === next.class_id && date.day === next.class_date,
    )
  const canceledDates = upcomingDates.filter(
    (date) =>
      date.status !== 'on' && isComing(date, student.id) && (!next || date.day <= next.class_date),
  )
  const withPlaces = upcomingDates.filter(
    (date) =>
      date.status === 'on' && date.places !== null && canAskForPlace(onDate(date, student.id)),
  )
  return (
    <>
      {canceledDates.map((date) => (
        <p key={`${keyOfDate(date)} ${date.status}`} className={styles.off}>
          <span className={styles.struck}>
            {date.class_name} · {dayTitle(date.day)}, {date.time}
          </span>
          <DateState date={date} />
        </p>
      ))}
      {nextDate ? (
        <DateToCome student={student} date={nextDate} />
      ) : (
        <p className={kit.muted}>{noClass}</p>
      )}
      {withPlaces.length > 0 && <ClassPlaces student={student} dates={withPlaces} />}
    </>
  )
}

/** Enrolled students need no place. */
const canAskForPlace = (date: StudentOnDate | undefined) =>
  !date || date.state === 'has_place' || date.state === 'waiting'

type DateToComeProps = { student: Props['student']; date: DatedClass }

function DateToCome({ student: { id, name }, date }: DateToComeProps) {
  const state = onDate(date, id)?.state
  return (
    <div className={kit.spread}>
      <div className={styles.what}>
        <span className={kit.name}>{date.class_name}</span>
        <span className={kit.muted}>
          {dayTitle(date.day)} · <span className={kit.whole}>{date.time}</span>
        </span>
        <DateState date={date} />
        {state === 'excused' && (
          <span className={`${kit.line} ${styles.excused}`}>
            <IconCalendarOff size={18} aria-hidden />
            Excused
          </span>
        )}
        {state === 'has_place' && (
          <span className={`${kit.line} ${styles.excused}`}>
            <IconCheck size={18} aria-hidden />
            {name ? `${name} has a place` : 'You have a place'}
          </span>
        )}
      </div>
      <ExcuseButton studentId={id} name={name} date={date} />
    </div>
  )
}

type ButtonProps = { studentId: string; name: string | undefined; date: DatedClass }

function ExcuseButton({ studentId: student_id, name, date }: ButtonProps) {
  const excuse = useExcuse(),
    undoExcuse = useUndoExcuse()
  const ask = useEndpointMutation(classDatesApi.askForPlace, { refreshes: DATE_READS })
  const giveBack = useEndpointMutation(classDatesApi.giveBackPlace, { refreshes: DATE_READS })
  const failedRequest = [excuse, undoExcuse, ask, giveBack].find(({ isError }) => isError)
  const state = onDate(date, student_id)?.state
  const target = { student_id, ...targetOf(date) }
  const excuseBody = { student_id, class_id: date.class_id, class_date: date.day }
  const comeAfterAll = () =>
    date.places === null ? undoExcuse.mutate({ query: excuseBody }) : ask.mutate({ body: target })
  const stayAway = () =>
    state === 'has_place' ? giveBack.mutate({ query: target }) : excuse.mutate({ body: excuseBody })
  const forStudent = name && <VisuallyHidden>{` (${name})`}</VisuallyHidden>
  const isFull = date.free_places === 0
  return (
    <>
      {state === 'excused' ? (
        <BusyButton
          variant="default"
          busy={undoExcuse.isPending || ask.isPending}
          busyLabel="Saving..."
          leftSection={isFull && <IconHourglass size={18} aria-hidden />}
          onClick={comeAfterAll}
        >
          {isFull ? 'Join waitlist' : 'Can come after all'}
          {forStudent}
        </BusyButton>
      ) : (
        <BusyButton
          variant="light"
          busy={excuse.isPending || giveBack.isPending}
          busyLabel="Saving..."
          onClick={stayAway}
        >
          Can’t come{forStudent}
        </BusyButton>
      )}
      <ErrorNotice>
        {failedRequest &&
          failureMessage(failedRequest, 'This could not be saved. Please try again.')}
      </ErrorNotice>
    </>
  )
}

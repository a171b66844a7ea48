import { IconCalendarOff, IconCheck, IconHourglass } from '@tabler/icons-react'
import { attendanceApi } from '@tatami/contract/attendance/attendance'
import {
  classDatesApi,
  type DatedClass,
  type StudentOnDate,
} from '@tatami/contract/calendar/class-dates'
import { hasBegun, isOver } from '@tatami/contract/calendar/timetable'
import type { Child } from '@tatami/contract/families/family-home'
import { failureMessage } from '../lib/api.ts'
import { currentMinuteOfDay, today } from '../lib/dates.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { DateState } from '../calendar/date-state.tsx'
import { CLASS_DATE_QUERIES, formatDayTitle, dateKey, dateTarget } from '../calendar/dates.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ErrorNotice, RetryNotice } from '../ui/notices.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { useExcuse, useUndoExcuse } from './excuses.ts'
import styles from './next-class.module.css'
import kit from '../ui/kit.module.css'

const ClassPlaces = lazyComponent(() => import('../calendar/class-places.tsx'), 'ClassPlaces')

const NextClassSkeleton = () => (
  <SkeletonBlock height={useLayout() === 'desktop' ? '3rem' : '7.75rem'} />
)

/** Enough for the marks of today, because the newest ones come first. */
const MAX_MARKS = 10

const datesQuery = endpointQuery(classDatesApi.list, { query: { with_places: 'true' } })

type OwnNextClassProps = { studentId: string; emptyText: string }

/** For the student's own dashboard. Skips classes in which the student is already marked. */
export function OwnNextClass({ studentId, emptyText }: OwnNextClassProps) {
  const dates = useRetryingQuery(datesQuery)
  const marks = useRetryingQuery(
    endpointQuery(attendanceApi.list, { query: { student_id: studentId, limit: MAX_MARKS } }),
  )
  const failedRequest = [dates, marks].find(({ isUnavailable }) => isUnavailable)
  if (failedRequest)
    return (
      <RetryNotice onRetry={failedRequest.retry}>The next class could not be loaded.</RetryNotice>
    )
  if (!dates.data || !marks.data) return <NextClassSkeleton />
  const markedDates = new Set(
    marks.data.map(({ class_id, class_date }) => `${class_id} ${class_date.slice(0, 10)}`),
  )
  const nextDate = filterUpcoming(dates.data).find(
    (date) =>
      date.status === 'on' && isExpected(date, studentId) && !markedDates.has(dateKey(date)),
  )
  return (
    <NextClass
      student={{ id: studentId }}
      nextClass={
        nextDate ? { ...nextDate, class_date: nextDate.day, class_time: nextDate.time } : null
      }
      emptyText={emptyText}
    />
  )
}

const dojoTimeNow = () => ({ day: today(), minute: currentMinuteOfDay() })
const filterUpcoming = (dates: readonly DatedClass[]) => {
  const now = dojoTimeNow()
  return dates.filter((date) => !isOver(date, now))
}
const findStudentOnDate = (date: DatedClass, studentId: string) =>
  date.students.find(({ student_id }) => student_id === studentId)
function isExpected(date: DatedClass, studentId: string): boolean {
  const state = findStudentOnDate(date, studentId)?.state
  return state !== undefined && state !== 'waiting' && state !== 'away'
}

type Props = {
  student: { id: string; name?: string }
  nextClass: Child['next_class']
  emptyText: string
}

export function NextClass({ student, nextClass, emptyText }: Props) {
  const dates = useRetryingQuery(datesQuery)
  if (dates.isUnavailable)
    return <RetryNotice onRetry={dates.retry}>The next class could not be loaded.</RetryNotice>
  if (!dates.data) return <NextClassSkeleton />
  const upcomingDates = filterUpcoming(dates.data)
  const nextDate =
    nextClass &&
    upcomingDates.find(
      (date) =>
        date.status === 'on' &&
        date.class_id === nextClass.class_id &&
        date.day === nextClass.class_date,
    )
  const canceledDates = upcomingDates.filter(
    (date) =>
      date.status !== 'on' &&
      isExpected(date, student.id) &&
      (!nextClass || date.day <= nextClass.class_date),
  )
  const placeDates = upcomingDates.filter(
    (date) =>
      date.status === 'on' &&
      date.places !== null &&
      canChangePlace(date, findStudentOnDate(date, student.id)),
  )
  return (
    <>
      {canceledDates.map((date) => (
        <p key={`${dateKey(date)} ${date.status}`} className={styles.canceled}>
          <span className={styles.crossedOut}>
            {date.class_name} · {formatDayTitle(date.day)}, {date.time}
          </span>
          <DateState date={date} />
        </p>
      ))}
      {nextDate ? (
        <UpcomingDate student={student} date={nextDate} />
      ) : (
        <p className={kit.muted}>{emptyText}</p>
      )}
      {placeDates.length > 0 && <ClassPlaces student={student} dates={placeDates} />}
    </>
  )
}

/** A student with a place, or on the waitlist, can give it up. A student who is not on the date can
 *  only ask for a free place: guests cannot join a waitlist. */
const canChangePlace = (date: DatedClass, studentOnDate: StudentOnDate | undefined) =>
  studentOnDate
    ? studentOnDate.state === 'has_place' || studentOnDate.state === 'waiting'
    : date.free_places !== 0 && !hasBegun(date, dojoTimeNow())

type UpcomingDateProps = { student: Props['student']; date: DatedClass }

function UpcomingDate({ student: { id, name }, date }: UpcomingDateProps) {
  const state = findStudentOnDate(date, id)?.state
  return (
    <div className={kit.spread}>
      <div className={styles.details}>
        <span className={kit.name}>{date.class_name}</span>
        <span className={kit.muted}>
          <span className={kit.keepTogether}>{formatDayTitle(date.day)},</span>{' '}
          <span className={kit.keepTogether}>{date.time}</span>
        </span>
        <DateState date={date} />
        {state === 'excused' && (
          <span className={`${kit.line} ${styles.stateLabel}`}>
            <IconCalendarOff size={18} aria-hidden />
            Excused
          </span>
        )}
        {state === 'has_place' && (
          <span className={`${kit.line} ${styles.stateLabel}`}>
            <IconCheck size={18} aria-hidden />
            {name ? `${name} has a place` : 'You have a place'}
          </span>
        )}
      </div>
      <ExcuseButton studentId={id} name={name} date={date} />
    </div>
  )
}

type ExcuseButtonProps = { studentId: string; name: string | undefined; date: DatedClass }

function ExcuseButton({ studentId, name, date }: ExcuseButtonProps) {
  const excuse = useExcuse()
  const undoExcuse = useUndoExcuse()
  const askForPlace = useEndpointMutation(classDatesApi.askForPlace, {
    refreshes: CLASS_DATE_QUERIES,
  })
  const giveBackPlace = useEndpointMutation(classDatesApi.giveBackPlace, {
    refreshes: CLASS_DATE_QUERIES,
  })
  const failedRequest = [excuse, undoExcuse, askForPlace, giveBackPlace].find(
    ({ isError }) => isError,
  )
  const state = findStudentOnDate(date, studentId)?.state
  const placeBody = { student_id: studentId, ...dateTarget(date) }
  const excuseBody = { student_id: studentId, class_id: date.class_id, class_date: date.day }
  // In a class with limited places, the excuse gave up the student's place.
  const undoAbsence = () =>
    date.places === null
      ? undoExcuse.mutate({ query: excuseBody })
      : askForPlace.mutate({ body: placeBody })
  const reportAbsence = () =>
    state === 'has_place'
      ? giveBackPlace.mutate({ query: placeBody })
      : excuse.mutate({ body: excuseBody })
  const hiddenName = name && <VisuallyHidden>{` (${name})`}</VisuallyHidden>
  const isFull = date.free_places === 0
  return (
    <>
      {state === 'excused' ? (
        <BusyButton
          variant="default"
          busy={undoExcuse.isPending || askForPlace.isPending}
          busyLabel="Saving..."
          leftSection={isFull && <IconHourglass size={18} aria-hidden />}
          onClick={undoAbsence}
        >
          {isFull ? 'Join waitlist' : 'Can come after all'}
          {hiddenName}
        </BusyButton>
      ) : (
        <BusyButton
          variant="light"
          busy={excuse.isPending || giveBackPlace.isPending}
          busyLabel="Saving..."
          onClick={reportAbsence}
        >
          Can’t come{hiddenName}
        </BusyButton>
      )}
      <ErrorNotice>
        {failedRequest &&
          failureMessage(failedRequest, 'This could not be saved. Please try again.')}
      </ErrorNotice>
    </>
  )
}

import { weekdayOf } from '@tatami/contract/lib/calendar-day'
import { Title } from '@mantine/core'
import { IconClipboardCheck } from '@tabler/icons-react'
import { QUICK_ACTION_CLASSES } from '@tatami/contract/attendance/attendance'
import {
  classesApi,
  classesOn,
  daysText,
  type DojoClass,
  timeRange,
} from '@tatami/contract/classes/classes'
import { findDateOn, useDatesOnDay } from '../calendar/use-dates-on-day.ts'
import { today } from '../lib/dates.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { RetryNotice } from '../ui/notices.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { NoClasses } from './no-classes.tsx'
import styles from './quick-actions.module.css'
import kit from '../ui/kit.module.css'

type Props = { onMark: (classId: string) => void }

export const QuickActions = ({ onMark }: Props) => (
  <section className={`${kit.stackSmall} ${styles.section}`}>
    <Title order={2}>Quick Actions</Title>
    <ClassButtons onMark={onMark} />
  </section>
)

function ClassButtons({ onMark }: Props) {
  const { data: classes, isUnavailable, retry } = useRetryingQuery(endpointQuery(classesApi.list))
  const dates = useDatesOnDay(today())
  if (isUnavailable)
    return <RetryNotice onRetry={retry}>The classes could not be loaded.</RetryNotice>
  if (!classes) return <LoadingButtons />
  if (classes.length === 0) return <NoClasses />
  // Without the dates, today's classes come from the weekly timetable.
  const weeklyClasses = classesOn(weekdayOf(today()), classes)
  const isToday = (dojoClass: DojoClass) =>
    dates ? findDateOn(dates, dojoClass.id) !== undefined : weeklyClasses.includes(dojoClass)
  return (
    <div className={`${kit.stackSmall} ${styles.actions}`}>
      {classes.slice(0, QUICK_ACTION_CLASSES).map((dojoClass) => (
        <button
          key={dojoClass.id}
          type="button"
          className={`${kit.card} ${styles.action}`}
          onClick={() => onMark(dojoClass.id)}
        >
          <IconClipboardCheck size={24} stroke={1.5} aria-hidden />
          <span className={styles.text}>
            <span className={kit.strong}>
              {dojoClass.class_name}{' '}
              {isToday(dojoClass) && <span className={styles.today}>Today</span>}
            </span>
            <span className={`${kit.facts} ${kit.note}`}>
              <span>{daysText(dojoClass)}</span> <span>{timeRange(dojoClass)}</span>
            </span>
          </span>
        </button>
      ))}
    </div>
  )
}

const LoadingButtons = () => (
  <div role="status" aria-label="Loading" className={`${kit.stackSmall} ${styles.actions}`}>
    {Array.from({ length: QUICK_ACTION_CLASSES }, (_, index) => (
      <SkeletonBlock key={index} height="4.4375rem" />
    ))}
  </div>
)

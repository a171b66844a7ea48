import { Button, VisuallyHidden } from '@mantine/core'
import {
  IconCalendarOff,
  IconCheck,
  IconChevronRight,
  IconCreditCard,
  IconCake,
  IconUserMinus,
  IconUserQuestion,
} from '@tabler/icons-react'
import type { AttendanceRecord } from '@tatami/contract/attendance'
import { classesOn, type DojoClass, timeRange } from '@tatami/contract/classes'
import { type Birthday, birthdaysByDay, type DashboardStats } from '@tatami/contract/dashboard'
import { monthOfDate } from '@tatami/contract/month'
import type { Excuse } from '@tatami/contract/excuses'
import type { PaymentStatistics } from '@tatami/contract/payments'
import type { SlippingAway } from '@tatami/contract/slipping-away'
import { formatWeekdayAndDay, today, weekdayOf } from '../lib/dates.ts'
import { MONTHS, thisMonth } from '../lib/month.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { pluralize } from '../lib/text.ts'
import { RetryNotice } from '../ui/notices.tsx'
import { Panel } from '../ui/panel.tsx'
import rows from '../ui/rows.module.css'
import { Celebrant } from './birthdays.tsx'
import styles from './today.module.css'

/** `classes` is undefined when they could not be loaded. */
type Props = {
  classes: DojoClass[] | undefined
  marks: AttendanceRecord[]
  excuses: Excuse[]
  birthdays: Birthday[]
  payments: PaymentStatistics | undefined
  stats: DashboardStats | undefined
  slipping: SlippingAway | undefined
  /** Where something of the dashboard could not be loaded. */
  onRetry: (() => void) | undefined
}

/** What needs the sensei today: the classes to mark, who has not paid, the birthdays to remember. */
export function Today({ classes, marks, excuses, birthdays, payments, stats, slipping, onRetry }: Props) {
  const day = today()
  const todays = classesOn(weekdayOf(day), classes ?? [])
  return (
    <Panel title="Today" aside={formatWeekdayAndDay(day)}>
      <div className={styles.rows}>
        {todays.length > 0 && (
          <ul className={rows.list}>
            {todays.map((c) => (
              <TodaysClass
                key={c.id}
                dojoClass={c}
                day={day}
                marks={marks.filter(({ class_id }) => class_id === c.id)}
                excuses={excuses.filter(({ class_id }) => class_id === c.id)}
              />
            ))}
          </ul>
        )}
        {onRetry && (
          <RetryNotice onRetry={onRetry}>
            {classes ? 'Not everything here could be loaded.' : 'Your classes could not be loaded.'}
          </RetryNotice>
        )}
        {classes && todays.length === 0 && (
          <div className={rows.row}>
            <p className={styles.nothing}>No classes today.</p>
            {classes.length === 0 && (
              <Button component={LayoutLink} to="/class-center" variant="default">
                Set up your classes
              </Button>
            )}
          </div>
        )}
        <ToApprove count={stats?.students_to_approve ?? 0} />
        <YetToPay statistics={payments} />
        <SlippingAwayCard slipping={slipping} />
        <TodaysBirthdays day={day} birthdays={birthdays} />
      </div>
    </Panel>
  )
}

const markingAt = (c: DojoClass, day: string) => `/attendance?${new URLSearchParams({ class: c.id, date: day })}`

type ClassProps = { dojoClass: DojoClass; day: string; marks: AttendanceRecord[]; excuses: Excuse[] }

/** One of today's classes, how far its marking is, and the way to mark it. */
function TodaysClass({ dojoClass: c, day, marks, excuses }: ClassProps) {
  const came = new Set(marks.filter((mark) => mark.present).map(({ student_id }) => student_id))
  const excused = excuses.filter(({ student_id }) => !came.has(student_id)).length
  const isMarked = marks.length > 0
  return (
    <li>
      <div className={rows.what}>
        <span className={rows.name}>{c.class_name}</span>
        <span className={styles.about}>
          {timeRange(c)}
          {isMarked && (
            <span className={styles.marked}>
              <IconCheck size={16} aria-hidden />
              {came.size} present, {marks.length - came.size} absent
            </span>
          )}
          {excused > 0 && (
            <span className={styles.excused}>
              <IconCalendarOff size={16} aria-hidden />
              {excused} excused
            </span>
          )}
        </span>
      </div>
      <Button component={LayoutLink} to={markingAt(c, day)} state={{ isLinked: true }} variant={isMarked ? 'default' : 'filled'}>
        Mark<VisuallyHidden>{` ${c.class_name}`}</VisuallyHidden>
      </Button>
    </li>
  )
}

/** How many joined by invitation and wait, and the way to them. */
const ToApprove = ({ count }: { count: number }) =>
  count > 0 && (
    <LayoutLink to="/students" className={styles.owing}>
      <IconUserQuestion size={20} stroke={1.5} aria-hidden />
      <span>{pluralize(count, 'new student')} to approve</span>
      <IconChevronRight size={20} stroke={1.5} aria-hidden />
    </LayoutLink>
  )

/** How many owe this month's fee, and the way to them. Nothing where it is not known, or nobody does. */
function YetToPay({ statistics }: { statistics: PaymentStatistics | undefined }) {
  if (!statistics?.total_yet_to_pay) return null
  return (
    <div className={styles.unpaid}>
      <LayoutLink to="/payment-center?filter=yet_to_pay" className={styles.owing}>
        <IconCreditCard size={20} stroke={1.5} aria-hidden />
        <span>
          {pluralize(statistics.total_yet_to_pay, 'student')} yet to pay for {MONTHS[thisMonth().month]}
        </span>
        <IconChevronRight size={20} stroke={1.5} aria-hidden />
      </LayoutLink>
      <LayoutLink to="/owing" className={styles.all}>
        Owing
      </LayoutLink>
    </div>
  )
}

/** How many are slipping away, the first names, and the way to them. Nothing where it is not known, or nobody is. */
function SlippingAwayCard({ slipping }: { slipping: SlippingAway | undefined }) {
  if (!slipping?.counts.all) return null
  const { counts, students } = slipping
  const others = counts.all - students.length
  return (
    <LayoutLink to="/slipping-away" className={styles.owing}>
      <IconUserMinus size={20} stroke={1.5} aria-hidden />
      <span>
        {pluralize(counts.all, 'student')} slipping away
        <span className={styles.names}>
          {students.map(({ name }) => name).join(', ')}
          {others > 0 && ` and ${pluralize(others, 'other')}`}
        </span>
      </span>
      <IconChevronRight size={20} stroke={1.5} aria-hidden />
    </LayoutLink>
  )
}

function TodaysBirthdays({ day, birthdays }: { day: string; birthdays: Birthday[] }) {
  const { year, month } = monthOfDate(day)
  const celebrants = birthdaysByDay(year, month, birthdays).get(Number(day.slice(8))) ?? []
  if (celebrants.length === 0) return null
  return (
    <ul className={styles.birthdays} aria-label="Birthdays today">
      {celebrants.map((birthday, index) => (
        <li key={index}>
          <IconCake size={20} stroke={1.5} aria-hidden />
          <Celebrant birthday={birthday} year={year} />
        </li>
      ))}
    </ul>
  )
}

import { MONTHS, dayOfMonth, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { Button } from '@mantine/core'
import {
  IconCheck,
  IconCreditCard,
  IconCreditCardPay,
  IconCake,
  IconUserHeart,
  IconUserMinus,
  IconUserQuestion,
} from '@tabler/icons-react'
import type { AttendanceRecord } from '@tatami/contract/attendance/attendance'
import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { type DojoClass, hasDayAndTime } from '@tatami/contract/classes/classes'
import {
  type Birthday,
  groupBirthdaysByDay,
  type DashboardStats,
  type DueLeads,
} from '@tatami/contract/dashboard/dashboard'
import type { PaymentStatistics } from '@tatami/contract/dues/payments'
import type { DueSteps } from '@tatami/contract/followups/followups'
import type { GradingSummary } from '@tatami/contract/gradings/gradings'
import type { SlippingAway } from '@tatami/contract/slipping-away/slipping-away'
import type { CertificateAlerts } from '@tatami/contract/staff/staff-certificates'
import { useCan } from '../lib/current-user.ts'
import { formatWeekdayAndDay, today } from '../lib/dates.ts'
import { thisMonth } from '../lib/month.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { PATHS, rollPath } from '../lib/paths.ts'
import { pluralize } from '../lib/text.ts'
import { DateActionsButton } from '../calendar/date-actions-button.tsx'
import { DateState } from '../calendar/date-state.tsx'
import { describeCounts } from '../calendar/dates.ts'
import { describeUnfinishedRoll } from '../calendar/present-count.tsx'
import { useDateActions } from '../calendar/use-date-actions.tsx'
import { DueStepList } from '../followups/due-steps.tsx'
import type { PreloadOnHover } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { Panel } from '../ui/panel.tsx'
import rows from '../ui/rows.module.css'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { BirthdayName } from './birthday-name.tsx'
import { EndingCertificates, TeacherAlerts } from './certificate-alerts.tsx'
import { IconLink } from './icon-link.tsx'
import styles from './today.module.css'
import { UpcomingBeltTests } from './upcoming-belt-tests.tsx'
import kit from '../ui/kit.module.css'

type Props = {
  classes: DojoClass[] | undefined
  dates: DatedClass[] | undefined
  marks: AttendanceRecord[]
  gradings: GradingSummary[]
  birthdays: Birthday[]
  payments: PaymentStatistics | undefined
  stats: DashboardStats | undefined
  atRisk: SlippingAway | undefined
  certificateAlerts: CertificateAlerts | undefined
  onRetry: (() => void) | undefined
}

export function Today(props: Props) {
  const { classes, dates, marks, gradings, birthdays, payments, stats, atRisk, onRetry } = props
  const { certificateAlerts } = props
  const day = today()
  const can = useCan()
  const { openActions, actionsDialog, preloadOnHover } = useDateActions(dates)
  return (
    <Panel title="Today" aside={formatWeekdayAndDay(day)}>
      <div className={`${kit.hairlines} ${styles.rows}`}>
        {dates && dates.length > 0 && (
          <ul className={rows.list}>
            {dates.map((date) => (
              <TodaysClass
                key={date.class_id}
                date={date}
                marks={marks.filter(({ class_id }) => class_id === date.class_id)}
                certificateAlerts={certificateAlerts}
                onOpen={() => openActions(date)}
                preloadOnHover={preloadOnHover}
              />
            ))}
          </ul>
        )}
        {onRetry && (
          <RetryNotice onRetry={onRetry}>
            {dates ? 'Not everything here could be loaded.' : 'Your classes could not be loaded.'}
          </RetryNotice>
        )}
        {classes && dates?.length === 0 && (
          <div className={rows.row}>
            <p className={kit.muted}>No classes today.</p>
            {can('schedule') && !classes.some(hasDayAndTime) && (
              <Button component={LayoutLink} to={PATHS.classCenter} variant="default">
                {classes.length === 0 ? 'Set up your classes' : 'Set the times of your classes'}
              </Button>
            )}
          </div>
        )}
        <UpcomingBeltTests gradings={gradings} day={day} />
        {can('students.edit') && <StudentsToApprove count={stats?.students_to_approve ?? 0} />}
        <PaymentsToReview count={stats?.payments_to_review ?? 0} />
        <NewStudentSteps dueSteps={stats?.due_followups} />
        <LeadsToAnswer dueLeads={stats?.due_leads} />
        <YetToPay statistics={payments} />
        <StudentsAtRisk atRisk={atRisk} />
        <EndingCertificates alerts={certificateAlerts} />
        <TodaysBirthdays day={day} birthdays={birthdays} />
      </div>
      {actionsDialog}
    </Panel>
  )
}

type ClassProps = {
  date: DatedClass
  marks: AttendanceRecord[]
  certificateAlerts: CertificateAlerts | undefined
  onOpen: () => void
  preloadOnHover: PreloadOnHover
}

function TodaysClass({ date, marks, certificateAlerts, ...openActions }: ClassProps) {
  const can = useCan()
  const presentCount = marks.filter(({ present }) => present).length
  const unfinishedText = marks.length > 0 ? describeUnfinishedRoll(date) : null
  const isMarked = marks.length > 0 && unfinishedText === null
  const isTakingPlace = date.status === 'on'
  return (
    <li>
      <div className={rows.text}>
        <span className={`${kit.name} ${rows.name}`}>
          <span className={styles.classText} data-off={!isTakingPlace}>
            {date.class_name}
          </span>
        </span>
        <span className={kit.facts}>
          <span className={styles.classText} data-off={!isTakingPlace}>
            {date.time}
          </span>
          {unfinishedText && <span>{unfinishedText}</span>}
          {isMarked && (
            <span className={`${kit.inline} ${kit.green}`}>
              <IconCheck size={16} aria-hidden />
              {presentCount} present, {marks.length - presentCount} absent
            </span>
          )}
          {isTakingPlace && (
            <span>
              {marks.length > 0
                ? date.excused !== 0 && `${date.excused} excused`
                : describeCounts(date)}
            </span>
          )}
          <DateState date={date} />
          <TeacherAlerts alerts={certificateAlerts} classId={date.class_id} />
        </span>
      </div>
      <div className={styles.actions}>
        {isTakingPlace && can('roll') && (
          <Button
            component={LayoutLink}
            to={rollPath(date)}
            // With this state, closing the roll goes back to this screen.
            state={{ isLinked: true }}
            px="md"
            variant={isMarked ? 'default' : 'filled'}
          >
            Mark<VisuallyHidden>{` ${date.class_name}`}</VisuallyHidden>
          </Button>
        )}
        {can('schedule') && (
          <DateActionsButton
            variant="default"
            label={`Cancel, move or substitute ${date.class_name}`}
            {...openActions}
          />
        )}
      </div>
    </li>
  )
}

const StudentsToApprove = ({ count }: { count: number }) =>
  count > 0 && (
    <IconLink to={PATHS.students} RowIcon={IconUserQuestion}>
      {pluralize(count, 'new student')} to approve
    </IconLink>
  )

const PaymentsToReview = ({ count }: { count: number }) =>
  count > 0 && (
    <IconLink to={`${PATHS.onlinePayments}?filter=review`} RowIcon={IconCreditCardPay}>
      {pluralize(count, 'online payment')} to review
    </IconLink>
  )

/** Stays after the last step, because it contains the bar that undoes this step. */
const NewStudentSteps = ({ dueSteps }: { dueSteps: DueSteps | undefined }) =>
  dueSteps && <DueStepList {...dueSteps} />

function LeadsToAnswer({ dueLeads }: { dueLeads: DueLeads | undefined }) {
  if (!dueLeads?.total) return null
  const { names, total } = dueLeads
  const otherCount = total - names.length
  return (
    <IconLink to={PATHS.leads} RowIcon={IconUserHeart}>
      {pluralize(total, 'lead')} to answer
      <span className={`${kit.note} ${styles.names}`}>
        {names.join(', ')}
        {otherCount > 0 && ` and ${pluralize(otherCount, 'other')}`}
      </span>
    </IconLink>
  )
}

function YetToPay({ statistics }: { statistics: PaymentStatistics | undefined }) {
  const can = useCan()
  if (!statistics?.total_yet_to_pay) return null
  const unpaidPath = can('money.take')
    ? (`${PATHS.paymentCenter}?filter=yet_to_pay` as const)
    : PATHS.owing
  return (
    <div className={styles.unpaid}>
      <IconLink to={unpaidPath} RowIcon={IconCreditCard}>
        {pluralize(statistics.total_yet_to_pay, 'student')} yet to pay for{' '}
        {MONTHS[thisMonth().month]}
      </IconLink>
      <LayoutLink to={PATHS.owing} className={styles.pastDue}>
        Past Due
      </LayoutLink>
    </div>
  )
}

function StudentsAtRisk({ atRisk }: { atRisk: SlippingAway | undefined }) {
  if (!atRisk?.counts.all) return null
  const { counts, students } = atRisk
  const otherCount = counts.all - students.length
  return (
    <IconLink to={PATHS.slippingAway} RowIcon={IconUserMinus}>
      {pluralize(counts.all, 'student')} at risk
      <span className={`${kit.note} ${styles.names}`}>
        {students.map(({ name }) => name).join(', ')}
        {otherCount > 0 && ` and ${pluralize(otherCount, 'other')}`}
      </span>
    </IconLink>
  )
}

function TodaysBirthdays({ day, birthdays }: { day: string; birthdays: Birthday[] }) {
  const { year, month } = monthOfDate(day)
  const todaysBirthdays = groupBirthdaysByDay(year, month, birthdays).get(dayOfMonth(day)) ?? []
  if (todaysBirthdays.length === 0) return null
  return (
    <ul className={`${kit.hairlines} ${styles.birthdays}`} aria-label="Birthdays today">
      {todaysBirthdays.map((birthday, index) => (
        <li key={index}>
          <IconCake size={20} stroke={1.5} aria-hidden />
          <BirthdayName birthday={birthday} year={year} />
        </li>
      ))}
    </ul>
  )
}

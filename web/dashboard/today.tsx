import { Button } from '@mantine/core'
import type { AttendanceRecord } from '@tatami/contract/attendance'
import { classesOn, type DojoClass } from '@tatami/contract/classes'
import type { Birthday } from '@tatami/contract/dashboard'
import type { PaymentStatistics } from '@tatami/contract/payments'
import { formatWeekdayAndDay, today, weekdayOf } from '../lib/dates.ts'
import { ShellLink } from '../lib/shell.tsx'
import { LoadAgain } from '../ui/load-again.tsx'
import { Panel } from './panel.tsx'
import { TodaysBirthdays } from './todays-birthdays.tsx'
import { TodaysClass } from './todays-class.tsx'
import styles from './today.module.css'
import { YetToPay } from './yet-to-pay.tsx'

/** `classes` is undefined when they could not be loaded. */
type Props = {
  classes: DojoClass[] | undefined
  marks: AttendanceRecord[]
  birthdays: Birthday[]
  payments: PaymentStatistics | undefined
  /** Where something of the dashboard could not be loaded. */
  onRetry: (() => void) | undefined
}

/** What needs the sensei today: the classes to mark, who has not paid, the birthdays to remember. */
export function Today({ classes, marks, birthdays, payments, onRetry }: Props) {
  const day = today()
  const todays = classesOn(weekdayOf(day), classes ?? [])
  return (
    <Panel title="Today" aside={formatWeekdayAndDay(day)}>
      <div className={styles.rows}>
        {todays.length > 0 && (
          <ul className={styles.list}>
            {todays.map((c) => (
              <TodaysClass key={c.id} dojoClass={c} day={day} marks={marks.filter(({ class_id }) => class_id === c.id)} />
            ))}
          </ul>
        )}
        {onRetry && (
          <LoadAgain onRetry={onRetry}>{classes ? 'Not everything here could be loaded.' : 'Your classes could not be loaded.'}</LoadAgain>
        )}
        {classes && todays.length === 0 && (
          <div className={styles.nothing}>
            <p>No classes today.</p>
            {classes.length === 0 && (
              <Button component={ShellLink} to="/class-center" variant="default">
                Set up your classes
              </Button>
            )}
          </div>
        )}
        <YetToPay statistics={payments} />
        <TodaysBirthdays day={day} birthdays={birthdays} />
      </div>
    </Panel>
  )
}

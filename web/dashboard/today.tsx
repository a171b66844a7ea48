import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { attendanceApi } from '@tatami/contract/attendance'
import { classesOn, type DojoClass } from '@tatami/contract/classes'
import type { Birthday } from '@tatami/contract/dashboard'
import { showDay, today, weekdayOf } from '../kernel/dates.ts'
import { endpointQuery } from '../kernel/query.ts'
import { ShellLink } from '../kernel/shell.tsx'
import { Panel } from './panel.tsx'
import { TodaysBirthdays } from './todays-birthdays.tsx'
import { TodaysClass } from './todays-class.tsx'
import styles from './today.module.css'

type Props = { classes: DojoClass[]; birthdays: Birthday[]; hasNoClass: boolean }

/** What needs the sensei today (look.md): the classes to mark, the birthdays to remember. */
export function Today({ classes, birthdays, hasNoClass }: Props) {
  const day = today()
  const { data: records = [] } = useQuery(endpointQuery(attendanceApi.list, { query: { class_date: day } }))
  const onNow = classesOn(weekdayOf(day), classes)
  return (
    <Panel title="Today" aside={showDay(day)}>
      {onNow.length > 0 && (
        <ul className={styles.list}>
          {onNow.map((c) => (
            <TodaysClass key={c.id} dojoClass={c} day={day} records={records.filter(({ class_id }) => class_id === c.id)} />
          ))}
        </ul>
      )}
      {onNow.length === 0 && <p className={styles.nothing}>No classes today.</p>}
      {hasNoClass && <div><Button component={ShellLink} to="/class-center" variant="default">Set up your classes</Button></div>}
      <TodaysBirthdays day={day} birthdays={birthdays} />
    </Panel>
  )
}

import { monthOfDate, dayOfMonth, monthKey } from '@tatami/contract/lib/calendar-day'
import { IconCake } from '@tabler/icons-react'
import { type Birthday, birthdaysByDay } from '@tatami/contract/dashboard/dashboard'
import { useState } from 'react'
import { today, formatMonthAndDay } from '../lib/dates.ts'
import { Panel } from '../ui/panel.tsx'
import { BirthdayCalendar } from './birthday-calendar.tsx'
import styles from './birthdays.module.css'
import { Celebrant } from './celebrant.tsx'
import { Row } from './layout.tsx'
import kit from '../ui/kit.module.css'

export function Birthdays({ birthdays }: { birthdays: Birthday[] }) {
  const [cursor, setCursor] = useState(today)
  const [selectedDay, setSelectedDay] = useState('')
  const { year, month } = monthOfDate(cursor)
  const byDay = birthdaysByDay(year, month, birthdays)
  const isInMonth = monthKey(monthOfDate(selectedDay)) === monthKey(monthOfDate(cursor))
  const celebrants = (isInMonth && byDay.get(dayOfMonth(selectedDay))) || []
  const selectDay = (date: string) => {
    setCursor(date)
    setSelectedDay(date)
  }
  return (
    <Row>
      <BirthdayCalendar
        byDay={byDay}
        cursor={cursor}
        onCursorChange={setCursor}
        onClick={selectDay}
        selectedDate={celebrants.length > 0 ? selectedDay : ''}
        isEmpty={birthdays.length === 0}
      />
      <BirthdayDetails date={selectedDay} celebrants={celebrants} />
    </Row>
  )
}

const HINT = 'Click on a calendar date to view birthday details'

const BirthdayDetails = ({ date, celebrants }: { date: string; celebrants: Birthday[] }) => (
  <Panel title="Birthday Details">
    <div aria-live="polite" className={styles.details}>
      {celebrants.length === 0 ? (
        <p className={kit.muted}>{HINT}</p>
      ) : (
        <>
          <p className={`${kit.muted} ${styles.day}`}>{formatMonthAndDay(date)}</p>
          <ul className={`${kit.stackTight} ${styles.names}`}>
            {celebrants.map((birthday, index) => (
              <li key={index}>
                <IconCake size={20} stroke={1.5} aria-hidden />
                <Celebrant birthday={birthday} year={monthOfDate(date).year} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  </Panel>
)

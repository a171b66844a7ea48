import { monthOfDate, dayOfMonth, monthKey, yearOf } from '@tatami/contract/lib/calendar-day'
import { IconCake } from '@tabler/icons-react'
import { type Birthday, groupBirthdaysByDay } from '@tatami/contract/dashboard/dashboard'
import { useState } from 'react'
import { today, formatMonthAndDay } from '../lib/dates.ts'
import { Panel } from '../ui/panel.tsx'
import { BirthdayCalendar } from './birthday-calendar.tsx'
import styles from './birthdays.module.css'
import { BirthdayName } from './birthday-name.tsx'
import { type DatedBirthday, findNextBirthdays } from './next-birthdays.ts'
import kit from '../ui/kit.module.css'

export function Birthdays({ birthdays }: { birthdays: Birthday[] }) {
  const [cursor, setCursor] = useState(today)
  const [selectedDate, setSelectedDate] = useState('')
  const { year, month } = monthOfDate(cursor)
  const birthdaysByDay = groupBirthdaysByDay(year, month, birthdays)
  const isSelectedDateVisible =
    monthKey(monthOfDate(selectedDate)) === monthKey(monthOfDate(cursor))
  const selectedBirthdays =
    (isSelectedDateVisible && birthdaysByDay.get(dayOfMonth(selectedDate))) || []
  const selectDate = (date: string) => {
    setCursor(date)
    setSelectedDate(date)
  }
  return (
    <>
      <BirthdayCalendar
        birthdaysByDay={birthdaysByDay}
        cursor={cursor}
        onCursorChange={setCursor}
        onSelect={selectDate}
        selectedDate={selectedBirthdays.length > 0 ? selectedDate : ''}
        isEmpty={birthdays.length === 0}
      />
      <BirthdayDetails
        date={selectedDate}
        birthdays={selectedBirthdays}
        nextBirthdays={findNextBirthdays(birthdays, today(), NEXT_BIRTHDAY_COUNT)}
      />
    </>
  )
}

const HINT = 'Click on a calendar date to view birthday details'
const NEXT_BIRTHDAY_COUNT = 4

type DetailsProps = {
  date: string
  /** The birthdays on the selected date. */
  birthdays: Birthday[]
  nextBirthdays: DatedBirthday[]
}

const BirthdayDetails = ({ date, birthdays, nextBirthdays }: DetailsProps) => (
  <Panel title="Birthday Details">
    <div aria-live="polite" className={styles.details}>
      {birthdays.length === 0 ? (
        <p className={kit.muted}>{HINT}</p>
      ) : (
        <>
          <p className={kit.muted}>{formatMonthAndDay(date)}</p>
          <ul className={`${kit.stackTight} ${styles.names}`}>
            {birthdays.map((birthday, index) => (
              <li key={index}>
                <IconCake size={20} stroke={1.5} aria-hidden />
                <BirthdayName birthday={birthday} year={monthOfDate(date).year} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
    {birthdays.length === 0 && nextBirthdays.length > 0 && (
      <NextBirthdays birthdays={nextBirthdays} />
    )}
  </Panel>
)

const NextBirthdays = ({ birthdays }: { birthdays: DatedBirthday[] }) => (
  <div>
    <h3 className={kit.note}>Next birthdays</h3>
    <ul className={kit.hairlines}>
      {birthdays.map((birthday, index) => (
        <li key={index} className={`${kit.line} ${styles.next}`}>
          <IconCake size={20} stroke={1.5} aria-hidden />
          <span className={kit.fill}>
            <BirthdayName birthday={birthday} year={yearOf(birthday.celebrated_on)} />
          </span>
          <span className={kit.note}>{formatMonthAndDay(birthday.celebrated_on)}</span>
        </li>
      ))}
    </ul>
  </div>
)

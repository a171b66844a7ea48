import { monthOfDate } from '@tatami/contract/month'
import type { Birthday } from '@tatami/contract/dashboard'
import { birthdaysByDay } from '@tatami/contract/dashboard'
import { useState } from 'react'
import { today } from '../lib/dates.ts'
import { BirthdayCalendar } from './birthday-calendar.tsx'
import { BirthdayDetails } from './birthday-details.tsx'
import layout from './layout.module.css'

/** The calendar and what it says about the day one clicked. One day of it is always where the keyboard stands, and its month is shown. */
export function Birthdays({ birthdays }: { birthdays: Birthday[] }) {
  const [cursor, setCursor] = useState(today)
  const [clicked, setClicked] = useState('')
  const { year, month } = monthOfDate(cursor)
  const byDay = birthdaysByDay(year, month, birthdays)
  const isShown = clicked.slice(0, 7) === cursor.slice(0, 7)
  const celebrants = (isShown && byDay.get(Number(clicked.slice(8)))) || []
  const click = (date: string) => {
    setCursor(date)
    setClicked(date)
  }
  return (
    <div className={layout.row}>
      <BirthdayCalendar
        byDay={byDay}
        cursor={cursor}
        onCursor={setCursor}
        onClick={click}
        chosen={celebrants.length > 0 ? clicked : ''}
        hasNone={birthdays.length === 0}
      />
      <BirthdayDetails date={clicked} celebrants={celebrants} />
    </div>
  )
}

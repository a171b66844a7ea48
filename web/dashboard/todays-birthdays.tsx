import { monthOfDate } from '@tatami/contract/month'
import { IconCake } from '@tabler/icons-react'
import { birthdaysByDay, type Birthday } from '@tatami/contract/dashboard'
import { Celebrant } from './celebrant.tsx'
import styles from './today.module.css'

export function TodaysBirthdays({ day, birthdays }: { day: string; birthdays: Birthday[] }) {
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

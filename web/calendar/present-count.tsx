import { IconCheck } from '@tabler/icons-react'
import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { today } from '../lib/dates.ts'
import kit from '../ui/kit.module.css'

/** Returns for example "3 of 6 marked", or null if all students are marked or the day is over. */
export function describeUnfinishedRoll({ day, marked, unmarked }: DatedClass): string | null {
  if (!marked || !unmarked || day < today()) return null
  return `${marked} of ${marked + unmarked} marked`
}

/** On a holiday, counts the students who trained anyway. */
export function PresentCount({ date }: { date: DatedClass }) {
  const { came, status, day } = date
  const isPast = day < today()
  if (came === null) return isPast && status === 'on' ? <span>Not marked</span> : null
  const unfinishedText = describeUnfinishedRoll(date)
  if (unfinishedText) return <span>{unfinishedText}</span>
  return (
    <span className={`${kit.inline} ${kit.green}`}>
      <IconCheck size={16} aria-hidden />
      {came} came
    </span>
  )
}

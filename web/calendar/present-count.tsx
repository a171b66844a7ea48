import { IconCheck } from '@tabler/icons-react'
import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { today } from '../lib/dates.ts'
import kit from '../ui/kit.module.css'

/** How many students were present. Shown on a holiday, too, because some may train anyway. */
export function PresentCount({ date: { came, status, day } }: { date: DatedClass }) {
  const isPast = day < today()
  if (came === null) return isPast && status === 'on' ? <span>Not marked</span> : null
  return (
    <span className={`${kit.inline} ${kit.green}`}>
      <IconCheck size={16} aria-hidden />
      {came} came
    </span>
  )
}

import {
  IconArrowRight,
  IconCalendarOff,
  IconCalendarPlus,
  IconUserCircle,
} from '@tabler/icons-react'
import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { stateWords } from './dates.ts'
import kit from '../ui/kit.module.css'

type Props = {
  date: Pick<
    DatedClass,
    'status' | 'origin' | 'day' | 'reason' | 'moved_from' | 'moved_to' | 'substitute'
  >
}

export function DateState({ date }: Props) {
  const words = stateWords(date)
  const isOff = date.status !== 'on'
  const isGone = date.status === 'cancelled' || date.status === 'holiday'
  const Sign = isGone
    ? IconCalendarOff
    : date.origin === 'added'
      ? IconCalendarPlus
      : IconArrowRight
  return (
    <>
      {words && (
        <span className={`${kit.name} ${kit.inline} ${isGone ? kit.red : kit.blue}`}>
          <Sign size={16} aria-hidden />
          {words}
        </span>
      )}
      {date.substitute && !isOff && (
        <span className={`${kit.name} ${kit.inline} ${kit.blue}`}>
          <IconUserCircle size={16} aria-hidden />
          {date.substitute} teaches
        </span>
      )}
    </>
  )
}

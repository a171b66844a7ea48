import {
  IconArrowRight,
  IconCalendarOff,
  IconCalendarPlus,
  IconUserCircle,
} from '@tabler/icons-react'
import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { describeState } from './dates.ts'
import kit from '../ui/kit.module.css'

type Props = {
  date: Pick<
    DatedClass,
    'status' | 'origin' | 'day' | 'reason' | 'moved_from' | 'moved_to' | 'substitute'
  >
}

export function DateState({ date }: Props) {
  const stateText = describeState(date)
  const isCanceled = date.status === 'cancelled' || date.status === 'holiday'
  const ChangeIcon = date.origin === 'added' ? IconCalendarPlus : IconArrowRight
  const StateIcon = isCanceled ? IconCalendarOff : ChangeIcon
  return (
    <>
      {stateText && (
        <span className={`${kit.name} ${kit.inline} ${isCanceled ? kit.red : kit.blue}`}>
          <StateIcon size={16} aria-hidden />
          {stateText}
        </span>
      )}
      {date.substitute && date.status === 'on' && (
        <span className={`${kit.name} ${kit.inline} ${kit.blue}`}>
          <IconUserCircle size={16} aria-hidden />
          {date.substitute} teaches
        </span>
      )}
    </>
  )
}

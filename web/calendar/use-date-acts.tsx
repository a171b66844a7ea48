import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { keyOfDate } from './dates.ts'

const DateActs = lazyComponent(() => import('./date-acts.tsx'), 'DateActs')

const DRAFTS = ['cancel-class', 'move-class', 'substitute']

/** `act` opens the dialogs of a date, `acts` renders them. A saved draft reopens its date. */
export function useDateActs(dates: readonly DatedClass[] | undefined) {
  const [openDate, setOpenDate] = useState<{ date: DatedClass; nth: number } | undefined>(() => {
    const date = dates?.find((candidate) =>
      DRAFTS.some((draft) => drafts.subjectOf(draft) === keyOfDate(candidate)),
    )
    return date && { date, nth: 0 }
  })
  return {
    act: (date: DatedClass) => setOpenDate({ date, nth: (openDate?.nth ?? 0) + 1 }),
    intent: DateActs.preloadOnHover,
    acts: openDate && (
      <DateActs key={openDate.nth} date={openDate.date} onGone={() => setOpenDate(undefined)} />
    ),
  }
}

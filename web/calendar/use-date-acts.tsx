import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { lazyPart } from '../ui/lazy-component.tsx'
import { keyOfDate } from './dates.ts'

const DateActs = lazyPart(() => import('./date-acts.tsx'), 'DateActs')

/** Under which what was typed about a date is kept. */
const DRAFTS = ['cancel-class', 'move-class', 'substitute']

/** What can be done with one of these dates: `act` opens it, `acts` is what is open. What was typed into it before opens it anew. */
export function useDateActs(dates: readonly DatedClass[] | undefined) {
  const [openDate, setOpenDate] = useState<{ date: DatedClass; nth: number } | undefined>(() => {
    const date = dates?.find((candidate) =>
      DRAFTS.some((draft) => drafts.subjectOf(draft) === keyOfDate(candidate)),
    )
    return date && { date, nth: 0 }
  })
  return {
    act: (date: DatedClass) => setOpenDate({ date, nth: (openDate?.nth ?? 0) + 1 }),
    intent: DateActs.intent,
    acts: openDate && (
      <DateActs key={openDate.nth} date={openDate.date} onGone={() => setOpenDate(undefined)} />
    ),
  }
}

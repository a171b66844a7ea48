import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { dateKey } from './dates.ts'

const DateActions = lazyComponent(() => import('./date-actions.tsx'), 'DateActions')

const DRAFT_KEYS = ['cancel-class', 'move-class', 'substitute']

/** `openCount` is the React key of the dialogs, so their state is reset each time they open. */
type OpenDate = { date: DatedClass; openCount: number }

/** Opens the dialogs for a class date. A stored draft opens its dialog again. */
export function useDateActions(dates: readonly DatedClass[] | undefined) {
  const [openDate, setOpenDate] = useState<OpenDate | undefined>(() => {
    const date = dates?.find((upcomingDate) =>
      DRAFT_KEYS.some((draft) => drafts.subjectOf(draft) === dateKey(upcomingDate)),
    )
    return date && { date, openCount: 0 }
  })
  return {
    openActions: (date: DatedClass) =>
      setOpenDate({ date, openCount: (openDate?.openCount ?? 0) + 1 }),
    preloadOnHover: DateActions.preloadOnHover,
    actionsDialog: openDate && (
      <DateActions
        key={openDate.openCount}
        date={openDate.date}
        onClose={() => setOpenDate(undefined)}
      />
    ),
  }
}

import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { ActsSheet } from './acts-sheet.tsx'
import { keyOfDate } from './dates.ts'
import { MoveDialog } from './move-dialog.tsx'
import { type Outcome, OutcomeBar } from './outcome-bar.tsx'
import { SubstituteDialog } from './substitute-dialog.tsx'

export type View = 'acts' | 'move' | 'substitute'

type Props = {
  date: DatedClass
  /** Called when no dialog or message is open any more. */
  onGone: () => void
}

export function DateActs({ date, onGone }: Props) {
  const [view, setView] = useState<View>(() =>
    drafts.subjectOf('move-class') === keyOfDate(date)
      ? 'move'
      : drafts.subjectOf('substitute') === keyOfDate(date)
        ? 'substitute'
        : 'acts',
  )
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  if (outcome) return <OutcomeBar outcome={outcome} onOutcome={setOutcome} onGone={onGone} />
  const part = { date, onClose: onGone, onDone: setOutcome }
  if (view === 'move') return <MoveDialog {...part} />
  if (view === 'substitute') return <SubstituteDialog {...part} />
  return <ActsSheet {...part} onView={setView} />
}

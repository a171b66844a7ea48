import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { DateActionsSheet } from './date-actions-sheet.tsx'
import { dateKey } from './dates.ts'
import { MoveDialog } from './move-dialog.tsx'
import { type DateOutcome, OutcomeBar } from './outcome-bar.tsx'
import { SubstituteDialog } from './substitute-dialog.tsx'

export type DateDialog = 'actions' | 'move' | 'substitute'

function findDialogWithDraft(date: DatedClass): DateDialog {
  if (drafts.subjectOf('move-class') === dateKey(date)) return 'move'
  return drafts.subjectOf('substitute') === dateKey(date) ? 'substitute' : 'actions'
}

type Props = {
  date: DatedClass
  onClose: () => void
}

export function DateActions({ date, onClose }: Props) {
  const [openDialog, setOpenDialog] = useState(() => findDialogWithDraft(date))
  const [outcome, setOutcome] = useState<DateOutcome | null>(null)
  if (outcome) return <OutcomeBar outcome={outcome} onOutcome={setOutcome} onDismiss={onClose} />
  const dialogProps = { date, onClose, onDone: setOutcome }
  if (openDialog === 'move') return <MoveDialog {...dialogProps} />
  if (openDialog === 'substitute') return <SubstituteDialog {...dialogProps} />
  return <DateActionsSheet {...dialogProps} onOpenDialog={setOpenDialog} />
}

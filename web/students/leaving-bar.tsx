import { type Student, studentsApi } from '@tatami/contract/students/students'
import { useQueryClient } from '@tanstack/react-query'
import { refreshAll, useEndpointMutation } from '../lib/query.ts'
import { Snackbar } from '../ui/snackbar.tsx'
import { alertUndoFailure } from '../ui/undo-bar.tsx'

/** A student who just left or came back, with the data from before. */
export type LeavingAct = { kind: 'left' | 'returned'; student: Student }

type Props = { act: LeavingAct; onDismiss: () => void }

export const LeavingBar = ({ act, onDismiss }: Props) =>
  act.kind === 'left' ? (
    <LeftBar student={act.student} onDismiss={onDismiss} />
  ) : (
    <ReturnedBar student={act.student} onDismiss={onDismiss} />
  )

type BarProps = { student: Student; onDismiss: () => void }

/** The button says "Re-enroll" instead of "Undo", because places, belt tests and written-off debts
 *  are not restored. */
function LeftBar({ student: { id, name }, onDismiss }: BarProps) {
  const cache = useQueryClient()
  const { mutate, isPending } = useEndpointMutation(studentsApi.return, {
    onSuccess: () => {
      refreshAll(cache)
      onDismiss()
    },
    onError: alertUndoFailure,
  })
  return (
    <Snackbar
      name={name}
      actionLabel="Re-enroll"
      onAction={() => isPending || mutate({ params: { id } })}
      onDismiss={onDismiss}
    >
      is a former student now
    </Snackbar>
  )
}

function ReturnedBar({ student, onDismiss }: BarProps) {
  const { id, name, left_on, left_reason } = student
  const cache = useQueryClient()
  const { mutate, isPending } = useEndpointMutation(studentsApi.leave, {
    onSuccess: () => {
      refreshAll(cache)
      onDismiss()
    },
    onError: alertUndoFailure,
  })
  const undo = () => {
    if (left_on && left_reason && !isPending)
      mutate({ params: { id }, body: { left_on, reason: left_reason } })
  }
  return (
    <Snackbar name={name} actionLabel="Undo" onAction={undo} onDismiss={onDismiss}>
      is enrolled again
    </Snackbar>
  )
}

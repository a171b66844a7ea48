import type { ReactNode } from 'react'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage } from '../lib/api.ts'
import { Snackbar } from './snackbar.tsx'

/** Everything that one press of a button did, such as "Ann Lee marked paid, $120" */
export type UndoableAct = { actId: string; name?: string; message: string }

export const alertUndoFailure = (error: Error) =>
  alertFailure(errorMessage(error, 'That couldn’t be undone. Please try again.'))

type Props = {
  act: UndoableAct
  undo: { isPending: boolean; mutate: (input: { params: { id: string } }) => void }
  onDismiss: () => void
  extraAction?: ReactNode
}

export const UndoBar = ({ act: { actId, name, message }, undo, onDismiss, extraAction }: Props) => (
  <Snackbar
    name={name}
    actionLabel="Undo"
    onAction={() => undo.isPending || undo.mutate({ params: { id: actId } })}
    onDismiss={onDismiss}
    extraAction={extraAction}
  >
    {message}
  </Snackbar>
)

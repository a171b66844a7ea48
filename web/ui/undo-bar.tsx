import type { ReactNode } from 'react'
import { errorMessage } from '../lib/api.ts'
import { Snackbar } from './snackbar.tsx'

export type UndoableAct = {
  actId: string
  name?: string
  words: string
}

export const alertNotUndone = (error: Error) =>
  alert(errorMessage(error, 'That couldn’t be undone. Please try again.'))

type Props = {
  done: UndoableAct
  undo: { isPending: boolean; mutate: (input: { params: { id: string } }) => void }
  onGone: () => void
  beside?: ReactNode
}

export const UndoBar = ({ done: { actId, name, words }, undo, onGone, beside }: Props) => (
  <Snackbar
    name={name}
    act="Undo"
    onAct={() => undo.isPending || undo.mutate({ params: { id: actId } })}
    onGone={onGone}
    beside={beside}
  >
    {words}
  </Snackbar>
)

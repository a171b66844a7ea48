import type { ReactNode } from 'react'
import { errorMessage } from '../lib/api.ts'
import { Snackbar } from './snackbar.tsx'

/** What a press did, in words, and the act that Undo takes back. */
export type UndoableAct = {
  actId: string
  /** Whom the words are about, where they begin with a name. */
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

/** Says what was done, and offers to take it back for some seconds. Afterwards another screen does. */
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

import { type LedgerAct, ledgerApi } from '@tatami/contract/ledger'
import { errorMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Snackbar } from '../ui/snackbar.tsx'
import { LEDGER_READS } from './payment-reads.ts'

export const ReceiptButton = lazyComponent(() =>
  import('./receipt-button.tsx').then((part) => part.ReceiptButton),
)

/** What a press did to the ledger, in words, and the act that Undo takes back. */
export type Done = {
  actId: string
  words: string
  /** Who paid, where money of one student was received. */
  studentId?: string
}

/** Takes a whole act back, and everything that one press did with it. */
export const useUndoAct = (onUndone: (act: LedgerAct) => void) =>
  useEndpointMutation(ledgerApi.undo, {
    refreshes: LEDGER_READS,
    onSuccess: onUndone,
    onError: (error) =>
      alert(errorMessage(error, 'That could not be taken back. Please try again.')),
  })

/** Says what was done, and offers to take it back for some seconds. Afterwards the student's account does. */
export function UndoBar({ done, onGone }: { done: Done; onGone: () => void }) {
  const undo = useUndoAct(onGone)
  return (
    <Snackbar
      act="Undo"
      onAct={() => undo.isPending || undo.mutate({ params: { id: done.actId } })}
      onGone={onGone}
      beside={
        done.studentId && (
          <ReceiptButton variant="subtle" actId={done.actId} studentId={done.studentId} />
        )
      }
    >
      {done.words}
    </Snackbar>
  )
}

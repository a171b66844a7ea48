import { type LedgerAct, ledgerApi } from '@tatami/contract/ledger/ledger'
import { useEndpointMutation } from '../lib/query.ts'
import { lazyPart } from '../ui/lazy-component.tsx'
import { alertNotUndone, type UndoableAct, UndoBar } from '../ui/undo-bar.tsx'
import { LEDGER_READS } from './payment-reads.ts'

export const ReceiptButton = lazyPart(() => import('./receipt-button.tsx'), 'ReceiptButton')

export type Done = UndoableAct & {
  /** Who paid, where money of one student was received. */
  studentId?: string
}

/** Takes a whole act back, and everything that one press did with it. */
export const useUndoAct = (onUndone: (act: LedgerAct) => void) =>
  useEndpointMutation(ledgerApi.undo, {
    refreshes: LEDGER_READS,
    onSuccess: onUndone,
    onError: alertNotUndone,
  })

/** Takes back what a press did to the ledger. Afterwards the student's account does. */
export const LedgerUndoBar = ({ done, onGone }: { done: Done; onGone: () => void }) => (
  <UndoBar
    done={done}
    undo={useUndoAct(onGone)}
    onGone={onGone}
    beside={
      done.studentId && (
        <ReceiptButton variant="subtle" actId={done.actId} studentId={done.studentId} />
      )
    }
  />
)

import { type LedgerAct, ledgerApi } from '@tatami/contract/ledger/ledger'
import { useEndpointMutation } from '../lib/query.ts'
import { lazyPart } from '../ui/lazy-component.tsx'
import { alertNotUndone, type UndoableAct, UndoBar } from '../ui/undo-bar.tsx'
import { LEDGER_READS } from './payment-reads.ts'

export const ReceiptButton = lazyPart(() => import('./receipt-button.tsx'), 'ReceiptButton')

export type LedgerNotice = UndoableAct & {
  /** The student whose receipt can be opened. */
  studentId?: string
}

export const useUndoAct = (onUndone: (act: LedgerAct) => void) =>
  useEndpointMutation(ledgerApi.undo, {
    refreshes: LEDGER_READS,
    onSuccess: onUndone,
    onError: alertNotUndone,
  })

export const LedgerUndoBar = ({ done, onGone }: { done: LedgerNotice; onGone: () => void }) => (
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

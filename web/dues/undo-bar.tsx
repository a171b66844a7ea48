import { type LedgerAct, ledgerApi } from '@tatami/contract/ledger/ledger'
import { useEndpointMutation } from '../lib/query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { alertUndoFailure, type UndoableAct, UndoBar } from '../ui/undo-bar.tsx'
import { LEDGER_ENDPOINTS } from './payment-reads.ts'

export const ReceiptButton = lazyComponent(() => import('./receipt-button.tsx'), 'ReceiptButton')

export type LedgerNotice = UndoableAct & {
  /** The student whose receipt the bar offers. */
  studentId?: string
}

export const useUndoLedgerAct = (onUndone: (act: LedgerAct) => void) =>
  useEndpointMutation(ledgerApi.undo, {
    refreshes: LEDGER_ENDPOINTS,
    onSuccess: onUndone,
    onError: alertUndoFailure,
  })

type Props = { notice: LedgerNotice; onDismiss: () => void }

export const LedgerUndoBar = ({ notice, onDismiss }: Props) => (
  <UndoBar
    act={notice}
    undo={useUndoLedgerAct(onDismiss)}
    onDismiss={onDismiss}
    extraAction={
      notice.studentId && (
        <ReceiptButton variant="subtle" actId={notice.actId} studentId={notice.studentId} />
      )
    }
  />
)

import { promotionsApi } from '@tatami/contract/belts/promotions'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { alertNotUndone, type UndoableAct, UndoBar } from '../ui/undo-bar.tsx'
import { useRankMutation } from './belts-data.ts'

const CertificatesButton = lazyComponent(() => import('./recent-acts.tsx'), 'CertificatesButton')

export type RankAct = UndoableAct & { hasCertificates?: boolean }
type Props = { done: RankAct; onGone: () => void; onUndone?: () => void }

/** Undoes a whole act for some seconds; later, other screens can undo it. */
export function RankUndoBar({ done, onGone, onUndone }: Props) {
  const undo = useRankMutation(promotionsApi.undoAct, {
    onSuccess: () => {
      onUndone?.()
      onGone()
    },
    onError: alertNotUndone,
  })
  return (
    <UndoBar
      act={done}
      undo={undo}
      onDismiss={onGone}
      extraAction={done.hasCertificates && <CertificatesButton actId={done.actId} />}
    />
  )
}

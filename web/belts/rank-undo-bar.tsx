import { promotionsApi } from '@tatami/contract/belts/promotions'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { alertNotUndone, type UndoableAct, UndoBar } from '../ui/undo-bar.tsx'
import { useRankMutation } from './belts-data.ts'

const CertificatesButton = lazyComponent(
  () => import('./recent-promotions.tsx'),
  'CertificatesButton',
)

export type RankAct = UndoableAct & { hasCertificates?: boolean }
type Props = { act: RankAct; onDismiss: () => void; onUndone?: () => void }

export function RankUndoBar({ act, onDismiss, onUndone }: Props) {
  const undo = useRankMutation(promotionsApi.undoAct, {
    onSuccess: () => {
      onUndone?.()
      onDismiss()
    },
    onError: alertNotUndone,
  })
  return (
    <UndoBar
      act={act}
      undo={undo}
      onDismiss={onDismiss}
      extraAction={act.hasCertificates && <CertificatesButton actId={act.actId} />}
    />
  )
}

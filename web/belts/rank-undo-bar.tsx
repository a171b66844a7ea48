import type { ShownRank } from '@tatami/contract/lib/ranks'
import { promotionsApi } from '@tatami/contract/belts/promotions'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { alertUndoFailure, type UndoableAct, UndoBar } from '../ui/undo-bar.tsx'
import { useRankMutation } from './belts-data.ts'

const BeltTying = lazyComponent(() => import('./belt-tying.tsx'), 'BeltTying')
const CertificatesButton = lazyComponent(
  () => import('./recent-promotions.tsx'),
  'CertificatesButton',
)

/** `newRanks` has one rank per student. It is set only if the promotions are celebrated. */
export type RankAct = UndoableAct & { hasCertificates?: boolean; newRanks?: readonly ShownRank[] }
type Props = { act: RankAct; onDismiss: () => void; onUndone?: () => void }

export function RankUndoBar({ act, onDismiss, onUndone }: Props) {
  const undo = useRankMutation(promotionsApi.undoBatch, {
    onSuccess: () => {
      onUndone?.()
      onDismiss()
    },
    onError: alertUndoFailure,
  })
  return (
    <>
      <UndoBar
        act={act}
        undo={undo}
        onDismiss={onDismiss}
        extraAction={act.hasCertificates && <CertificatesButton batchId={act.actId} />}
      />
      {act.newRanks && act.newRanks.length > 0 && <BeltTying ranks={act.newRanks} />}
    </>
  )
}

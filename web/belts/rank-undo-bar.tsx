import { promotionsApi } from '@tatami/contract/belts/promotions'
import { lazyPart } from '../ui/lazy-component.tsx'
import { alertNotUndone, type UndoableAct, UndoBar } from '../ui/undo-bar.tsx'
import { useRankMutation } from './belts-data.ts'

const CertificatesButton = lazyPart(() => import('./recent-acts.tsx'), 'CertificatesButton')

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
      done={done}
      undo={undo}
      onGone={onGone}
      beside={done.hasCertificates && <CertificatesButton actId={done.actId} />}
    />
  )
}

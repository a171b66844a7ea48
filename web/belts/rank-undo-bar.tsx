import { promotionsApi } from '@tatami/contract/promotions'
import { errorMessage } from '../lib/api.ts'
import { Snackbar } from '../ui/snackbar.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { useRankMutation } from './belts-data.ts'

const CertificatesButton = lazyComponent(() =>
  import('./recent-acts.tsx').then((part) => part.CertificatesButton),
)

/** What a press did to ranks, in words, and the act that Undo takes back. */
export type RankAct = { actId: string; words: string; hasCertificates?: boolean }

/** Takes back everything that one press did. */
export const useUndoRankAct = (onUndone: () => void) =>
  useRankMutation(promotionsApi.undoAct, {
    onSuccess: onUndone,
    onError: (error) =>
      alert(errorMessage(error, 'That could not be taken back. Please try again.')),
  })

type Props = { done: RankAct; onGone: () => void; onUndone?: () => void }

/** Says what was done, and offers to take it back for some seconds. Afterwards "Promoted lately" does, a student's page, or the ladder's card. */
export function RankUndoBar({ done, onGone, onUndone }: Props) {
  const undo = useUndoRankAct(() => {
    onUndone?.()
    onGone()
  })
  return (
    <Snackbar
      act="Undo"
      onAct={() => undo.isPending || undo.mutate({ params: { id: done.actId } })}
      onGone={onGone}
      beside={done.hasCertificates && <CertificatesButton actId={done.actId} />}
    >
      {done.words}
    </Snackbar>
  )
}

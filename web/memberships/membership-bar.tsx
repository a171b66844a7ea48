import { holdsApi } from '@tatami/contract/memberships/holds'
import { membershipsApi } from '@tatami/contract/memberships/memberships'
import { useQueryClient } from '@tanstack/react-query'
import { refreshAll, useEndpointMutation } from '../lib/query.ts'
import { Snackbar } from '../ui/snackbar.tsx'
import { alertUndoFailure } from '../ui/undo-bar.tsx'

/** What was just done. `id` is the subscription that starts, changes or ends, or the hold. */
export type MembershipNotice = {
  kind: 'started' | 'ended' | 'held' | 'released'
  id: string
  message: string
  /** The part of what the end of a plan gave back that can be refunded, in dollars. */
  refundable?: number
}

type Props = { notice: MembershipNotice; onDismiss: () => void }

export function MembershipBar({ notice, onDismiss }: Props) {
  const { isPending, undo } = useUndo(notice, onDismiss)
  return (
    <Snackbar actionLabel="Undo" onAction={() => isPending || undo()} onDismiss={onDismiss}>
      {notice.message}
    </Snackbar>
  )
}

/** Each act is undone by its opposite. */
function useUndo(notice: MembershipNotice, onUndone: () => void) {
  const cache = useQueryClient()
  const options = {
    onSuccess: () => {
      refreshAll(cache)
      onUndone()
    },
    onError: alertUndoFailure,
  }
  const undoStart = useEndpointMutation(membershipsApi.undo, options)
  const keep = useEndpointMutation(membershipsApi.keep, options)
  const reopenHold = useEndpointMutation(holdsApi.reopen, options)
  const removeHold = useEndpointMutation(holdsApi.remove, options)
  const params = { id: notice.id }
  const undo = () => {
    if (notice.kind === 'started') undoStart.mutate({ params })
    else if (notice.kind === 'ended') keep.mutate({ params })
    else if (notice.kind === 'released') reopenHold.mutate({ params })
    else removeHold.mutate({ params })
  }
  return {
    isPending:
      undoStart.isPending || keep.isPending || removeHold.isPending || reopenHold.isPending,
    undo,
  }
}

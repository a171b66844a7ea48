import { addDays } from '@tatami/contract/lib/calendar-day'
import { holdsApi } from '@tatami/contract/memberships/holds'
import { membershipsApi } from '@tatami/contract/memberships/memberships'
import { useQueryClient } from '@tanstack/react-query'
import { today } from '../lib/dates.ts'
import { refreshAll, useEndpointMutation } from '../lib/query.ts'
import { Snackbar } from '../ui/snackbar.tsx'
import { alertUndoFailure } from '../ui/undo-bar.tsx'

/** What was just done. `id` is the subscription that starts or ends, or the new hold. */
export type MembershipNotice = { id: string; message: string } & (
  | { kind: 'started'; startsOn: string }
  | { kind: 'ended' | 'held' }
)

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
  const end = useEndpointMutation(membershipsApi.end, options)
  const keep = useEndpointMutation(membershipsApi.keep, options)
  const removeHold = useEndpointMutation(holdsApi.remove, options)
  const params = { id: notice.id }
  const undo = () => {
    if (notice.kind === 'started')
      end.mutate({ params, body: { asked_on: dayBefore(notice.startsOn) } })
    else if (notice.kind === 'ended') keep.mutate({ params })
    else removeHold.mutate({ params })
  }
  return { isPending: end.isPending || keep.isPending || removeHold.isPending, undo }
}

/** Whoever asks for the end before the first day never had the plan. */
const dayBefore = (startsOn: string): string =>
  startsOn > today() ? today() : addDays(startsOn, -1)

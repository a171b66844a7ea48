import { type Plan, plansApi } from '@tatami/contract/plans/plans'
import { useEndpointMutation } from '../lib/query.ts'
import { Snackbar } from '../ui/snackbar.tsx'
import { alertUndoFailure } from '../ui/undo-bar.tsx'

export type PlanAct = { kind: 'retired' | 'restored'; plan: Plan }

type Props = { act: PlanAct; onDismiss: () => void }

export function PlanUndoBar({ act: { kind, plan }, onDismiss }: Props) {
  const undo = useEndpointMutation(kind === 'retired' ? plansApi.restore : plansApi.retire, {
    refreshes: [plansApi.list],
    onSuccess: onDismiss,
    onError: alertUndoFailure,
  })
  return (
    <Snackbar
      name={plan.name}
      actionLabel="Undo"
      onAction={() => undo.isPending || undo.mutate({ params: { id: plan.id } })}
      onDismiss={onDismiss}
    >
      {kind === 'retired' ? 'is no longer sold' : 'is sold again'}
    </Snackbar>
  )
}

import { Button } from '@mantine/core'
import { type Plan, type PlanChange, type PlanForm, plansApi } from '@tatami/contract/plans/plans'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { MorePlanFields } from './more-plan-fields.tsx'
import { NewerPlanNote } from './newer-plan-note.tsx'
import { NEW_PLAN, PLAN_DRAFT } from './open-dialog.ts'
import styles from './plan-dialog.module.css'
import { PlanExample } from './plan-example.tsx'
import { PlanFields } from './plan-fields.tsx'
import {
  hasHiddenError,
  isPriceChanged,
  type PlanFormState,
  toPlanValues,
  usePlanForm,
} from './plan-form.ts'
import type { PlanAct } from './plan-undo-bar.tsx'
import { PriceChangeNote } from './price-change-note.tsx'
import { useRetirePlan } from './use-retire-plan.ts'

type Props = {
  /** The plan to edit. Without it, the dialog adds one. */
  plan?: Plan
  /** What a new plan starts from. Null is an empty form. */
  template?: PlanForm | null
  onClose: () => void
  onRetired?: (act: PlanAct) => void
}

export function PlanDialog({ plan, template = null, onClose, onRetired }: Props) {
  const [initial] = useState(() => toPlanValues(plan ?? template))
  const form = usePlanForm(initial)
  useDraft(PLAN_DRAFT, form, plan?.id ?? NEW_PLAN)
  const { save, isPending, error } = useSavePlan(plan, form, onClose)
  return (
    <FormDialog
      title={plan ? `Edit ${plan.name}` : 'New plan'}
      size="large"
      onClose={onClose}
      onSubmit={form.send((body) => isPending || save(body as PlanChange))}
      isDirty={form.isDirty()}
      busy={isPending}
      error={failureMessage({ error }, 'The plan could not be saved. Please try again.')}
      submitLabel="Save"
      busyLabel="Saving..."
      extraAction={
        plan && <RetireButton plan={plan} onClose={onClose} onDone={(act) => onRetired?.(act)} />
      }
    >
      <div className={styles.editor}>
        <div className={styles.fields}>
          {plan && <NewerPlanNote plan={plan} form={form} />}
          <PlanFields form={form} isKindFixed={plan !== undefined} />
          {plan && isPriceChanged(plan, form.values) && (
            <PriceChangeNote plan={plan} price={form.values.price} />
          )}
        </div>
        <PlanExample values={form.values} />
        <div className={styles.more}>
          <MorePlanFields form={form} startsOpen={hasHiddenError(form.errors)} />
        </div>
      </div>
    </FormDialog>
  )
}

function useSavePlan(plan: Plan | undefined, form: PlanFormState, onClose: () => void) {
  const cache = useQueryClient()
  const options = {
    refreshes: [plansApi.list],
    onSuccess: onClose,
    onError: (refusal: Error) => {
      form.showRefusal(refusal)
      // Somebody else may have changed the plan.
      void cache.invalidateQueries({ queryKey: endpointQuery(plansApi.list).queryKey })
    },
  }
  const create = useEndpointMutation(plansApi.create, options)
  const update = useEndpointMutation(plansApi.change, options)
  return {
    save: (body: PlanChange) =>
      plan ? update.mutate({ params: { id: plan.id }, body }) : create.mutate({ body }),
    isPending: create.isPending || update.isPending,
    error: create.error ?? update.error,
  }
}

type RetireProps = { plan: Plan; onClose: () => void; onDone: (act: PlanAct) => void }

function RetireButton({ plan, onClose, onDone }: RetireProps) {
  const retire = useRetirePlan(() => {
    onDone({ kind: 'retired', plan })
    onClose()
  })
  return (
    <Button
      variant="default"
      disabled={retire.isPending}
      onClick={() => retire.mutate({ params: { id: plan.id } })}
    >
      Stop selling
    </Button>
  )
}

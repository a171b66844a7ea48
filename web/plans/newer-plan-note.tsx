import { Button } from '@mantine/core'
import { describePlanPrice } from '@tatami/contract/plans/plan-words'
import type { Plan } from '@tatami/contract/plans/plans'
import { Warning } from '../ui/notices.tsx'
import { type PlanFormState, toPlanValues } from './plan-form.ts'
import { listPlanFacts } from './plan-text.ts'
import { joinNonEmpty } from '../lib/text.ts'
import kit from '../ui/kit.module.css'

type Props = { plan: Plan; form: PlanFormState }

/** Shown if somebody else has saved the plan since the form was opened. */
export function NewerPlanNote({ plan, form }: Props) {
  const { revision } = form.values
  if (revision === null || revision === plan.revision) return null
  return (
    <Warning>
      <div className={kit.stackTight}>
        <p>
          Somebody else has changed this plan. It is now:{' '}
          {joinNonEmpty([plan.name, describePlanPrice(plan), ...listPlanFacts(plan)])}.
        </p>
        <Button variant="default" size="sm" onClick={() => form.setValues(toPlanValues(plan))}>
          Edit the newer plan
        </Button>
      </div>
    </Warning>
  )
}

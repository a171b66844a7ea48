import { NativeSelect } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { describePlanPrice } from '@tatami/contract/plans/plan-words'
import { isForVisits, type Plan, plansApi } from '@tatami/contract/plans/plans'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import type { StudentForm } from './student-form.ts'

type Props = { form: Pick<UseFormReturnType<StudentForm>, 'getInputProps' | 'values'> }

/** The plans that a new student can start with: all plans for sale except add-ons. */
export function useStartingPlans(): readonly Plan[] {
  const { data: plans = [] } = useQuery(endpointQuery(plansApi.list))
  return plans.filter(
    ({ retired_at, kind, is_add_on }) => retired_at === null && !isForVisits(kind) && !is_add_on,
  )
}

/** Asks for a plan instead of a fee. Hidden in schools without plans, and during a trial. */
export function PlanField({ form }: Props) {
  const plans = useStartingPlans()
  if (plans.length === 0 || form.values.is_trial) return null
  return (
    <NativeSelect
      label="Plan"
      data={[
        { value: '', label: 'None: a monthly fee' },
        ...plans.map((plan) => ({
          value: plan.id,
          label: joinNonEmpty([plan.name, describePlanPrice(plan)]),
        })),
      ]}
      {...form.getInputProps('plan_id')}
    />
  )
}

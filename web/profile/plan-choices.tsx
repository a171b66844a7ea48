import { NativeSelect } from '@mantine/core'
import { isForAge } from '@tatami/contract/plans/plan-facts'
import type { InvitationDetails } from '@tatami/contract/profile/join'
import { useEffect, useState } from 'react'
import { joinNonEmpty } from '../lib/text.ts'
import styles from './plan-choices.module.css'
import kit from '../ui/kit.module.css'

type Plan = InvitationDetails['plans'][number]
type Props = {
  plans: readonly Plan[]
  /** Null until the date of birth is entered. */
  age: number | null
  value?: string
  onChange?: (planId: string) => void
}

/** The choice is optional, because the instructor can add a plan later. Plans for other ages are
 *  disabled instead of hidden, so that nobody misses them. */
export function PlanChoices({ plans, age, value = '', onChange, ...field }: Props) {
  const clearedPlan = useClearedPlan({ plans, age, value, onChange })
  return (
    <>
      <NativeSelect
        {...field}
        value={value}
        onChange={(event) => onChange?.(event.currentTarget.value)}
        label="Plan (optional)"
        data={[
          { value: '', label: 'I’ll decide later' },
          ...plans.map((plan) => ({
            value: plan.id,
            label: joinNonEmpty([plan.name, plan.price, !isForAge(plan, age) && plan.ages]),
            disabled: !isForAge(plan, age),
          })),
        ]}
      />
      <p role="status" className={kit.orange}>
        {clearedPlan &&
          `${clearedPlan.name} is for another age (${clearedPlan.ages}). Please choose again.`}
      </p>
      <PlanDetails
        plans={plans.filter((plan) => isForAge(plan, age) && (!value || plan.id === value))}
      />
    </>
  )
}

/** Clears the choice if a new date of birth does not match the plan. Returns the cleared plan until
 *  another plan is chosen. */
function useClearedPlan({
  plans,
  age,
  value,
  onChange,
}: Pick<Props, 'plans' | 'age' | 'value' | 'onChange'>): Plan | undefined {
  const [clearedPlan, setClearedPlan] = useState<Plan>()
  const unsuitablePlan = plans.find((plan) => plan.id === value && !isForAge(plan, age))
  if (unsuitablePlan && unsuitablePlan.id !== clearedPlan?.id) setClearedPlan(unsuitablePlan)
  useEffect(() => {
    if (unsuitablePlan) onChange?.('')
  }, [unsuitablePlan, onChange])
  const isShown = clearedPlan && !value && !isForAge(clearedPlan, age)
  return isShown ? clearedPlan : undefined
}

/** Shows the details of the chosen plan, or of all plans until one is chosen. */
const PlanDetails = ({ plans }: Pick<Props, 'plans'>) => (
  <ul className={kit.stackTight}>
    {plans.map(({ id, name, description, facts, terms, ages }) => (
      <li key={id} className={kit.note}>
        <b>{name}</b>
        <p>{joinNonEmpty([description, ages, ...facts], ' · ')}</p>
        {terms && (
          <details>
            <summary>Terms of {name}</summary>
            <p className={styles.terms}>{terms}</p>
          </details>
        )}
      </li>
    ))}
  </ul>
)

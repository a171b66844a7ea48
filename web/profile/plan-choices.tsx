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

/** Nobody has to choose: the instructor can put a student on a plan later. Plans for other ages
 *  stay in the list, so that nobody misses them. */
export function PlanChoices({ plans, age, value = '', onChange, ...field }: Props) {
  const droppedPlan = useDroppedPlan({ plans, age, value, onChange })
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
        {droppedPlan &&
          `${droppedPlan.name} is for another age (${droppedPlan.ages}). Please choose again.`}
      </p>
      <PlanDetails
        plans={plans.filter((plan) => isForAge(plan, age) && (!value || plan.id === value))}
      />
    </>
  )
}

/** Takes a plan back that a new date of birth does not fit, and returns it until another one is
 *  chosen. */
function useDroppedPlan({
  plans,
  age,
  value,
  onChange,
}: Pick<Props, 'plans' | 'age' | 'value' | 'onChange'>): Plan | undefined {
  const [droppedPlan, setDroppedPlan] = useState<Plan>()
  const unfitPlan = plans.find((plan) => plan.id === value && !isForAge(plan, age))
  if (unfitPlan && unfitPlan.id !== droppedPlan?.id) setDroppedPlan(unfitPlan)
  useEffect(() => {
    if (unfitPlan) onChange?.('')
  }, [unfitPlan, onChange])
  const isShown = droppedPlan && !value && !isForAge(droppedPlan, age)
  return isShown ? droppedPlan : undefined
}

/** What a plan asks for besides its price. All plans are shown until one is chosen. */
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

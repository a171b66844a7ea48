import { NativeSelect } from '@mantine/core'
import type { InvitationDetails } from '@tatami/contract/profile/join'
import { joinNonEmpty } from '../lib/text.ts'
import styles from './plan-choices.module.css'
import kit from '../ui/kit.module.css'

type Plan = InvitationDetails['plans'][number]
type Props = {
  plans: readonly Plan[]
  /** Null until the date of birth is entered. */
  age: number | null
  value?: string
}

const isForAge = ({ age_from, age_until }: Plan, age: number | null): boolean =>
  age === null || (age >= (age_from ?? 0) && age <= (age_until ?? age))

/** Nobody has to choose: the instructor can put a student on a plan later. Plans for other ages
 *  stay in the list, so that nobody misses them. */
export const PlanChoices = ({ plans, age, ...field }: Props) => (
  <>
    <NativeSelect
      {...field}
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
    <PlanDetails
      plans={plans.filter(
        (plan) => isForAge(plan, age) && (!field.value || plan.id === field.value),
      )}
    />
  </>
)

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

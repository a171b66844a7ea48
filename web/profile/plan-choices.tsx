import { NativeSelect } from '@mantine/core'
import type { InvitationDetails } from '@tatami/contract/profile/join'
import { joinNonEmpty } from '../lib/text.ts'

type Plan = InvitationDetails['plans'][number]
type Props = {
  plans: readonly Plan[]
  /** Null until the date of birth is entered. */
  age: number | null
  value?: string
}

const isForAge = ({ age_from, age_until }: Plan, age: number | null): boolean =>
  age === null || (age >= (age_from ?? 0) && age <= (age_until ?? age))

/** Nobody has to choose: the instructor can put a student on a plan later. */
export const PlanChoices = ({ plans, age, ...field }: Props) => (
  <NativeSelect
    {...field}
    label="Plan (optional)"
    description={plans.find(({ id }) => id === field.value)?.description}
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    data={[
      { value: '', label: 'I’ll decide later' },
      ...plans
        .filter((plan) => isForAge(plan, age))
        .map(({ id, name, price }) => ({ value: id, label: joinNonEmpty([name, price]) })),
    ]}
  />
)

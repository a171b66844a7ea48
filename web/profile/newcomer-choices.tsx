import type { InvitationDetails } from '@tatami/contract/profile/join'
import { ClassChoices } from './class-choices.tsx'
import { PlanChoices } from './plan-choices.tsx'

type Props = Pick<InvitationDetails, 'classes' | 'plans'> & {
  /** Null until the date of birth is entered. */
  age: number | null
  getInputProps: (name: string) => object
}

/** What a newcomer can choose, if the school offers it. */
export const NewcomerChoices = ({ classes, plans, age, getInputProps }: Props) => (
  <>
    {classes.length > 0 && (
      <ClassChoices classes={classes} {...getInputProps('class_preferences')} />
    )}
    {plans.length > 0 && <PlanChoices plans={plans} age={age} {...getInputProps('plan_id')} />}
  </>
)

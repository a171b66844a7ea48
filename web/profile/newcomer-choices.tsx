import type { InvitationDetails } from '@tatami/contract/profile/join'
import { ClassChoices } from './class-choices.tsx'
import { PlanChoices } from './plan-choices.tsx'

type Props = Pick<InvitationDetails, 'classes' | 'plans'> & {
  /** Null until the date of birth is entered. */
  age: number | null
  getInputProps: (name: string) => object
}

/** Shows classes and plans if the school offers them. */
export const NewcomerChoices = ({ classes, plans, age, getInputProps }: Props) => (
  <>
    {classes.length > 0 && (
      <ClassChoices classes={classes} {...getInputProps('class_preferences')} />
    )}
    {plans.length > 0 && <PlanChoices plans={plans} age={age} {...getInputProps('plan_id')} />}
  </>
)

import { NativeSelect } from '@mantine/core'
import type { ImportPlan } from '@tatami/contract/import/import-plan'
import { formatMoney } from '@tatami/contract/lib/money'
import { isForVisits, type Plan, plansApi } from '@tatami/contract/plans/plans'
import { useQuery } from '@tanstack/react-query'
import { useCan } from '../lib/current-user.ts'
import { endpointQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { Panel } from '../ui/panel.tsx'
import styles from './import-students.module.css'
import type { ReviewProps } from './review.ts'
import kit from '../ui/kit.module.css'

type MembershipInSheet = ImportPlan['memberships_in_sheet'][number]

const ONLY_A_NOTE = { value: '', label: 'Just a note' }
const NEW_PLAN = 'new'

/** Asks which plan replaces each membership in the sheet. */
export function MembershipChoices({ sheet, state, plan }: ReviewProps) {
  const can = useCan()
  const { data: plans = [] } = useQuery(endpointQuery(plansApi.list))
  const planOptions = plans.filter(isForSale).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Panel title="Memberships">
      <p className={kit.muted}>
        Choose a plan for each membership. Students keep paying the fee in your sheet, and the plan
        counts from the day they joined. Former students and students on trial get no plan.
      </p>
      <ul className={styles.fields}>
        {plan.memberships_in_sheet.map((membership) => {
          const { name, students, plan_id } = membership
          const choice = state.memberships[name] ?? plan_id ?? ''
          return (
            <li key={name}>
              <NativeSelect
                label={`“${name}” (${pluralize(students, 'student')})`}
                description={describeFees(plans.find(({ id }) => id === choice))}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                value={choice}
                onChange={({ currentTarget: { value } }) => sheet.setMembership(name, value)}
                data={[
                  ONLY_A_NOTE,
                  ...planOptions,
                  ...(can('settings') ? [toNewPlanOption(membership)] : []),
                ]}
              />
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

const isForSale = ({ kind, retired_at }: Plan): boolean => retired_at === null && kind !== 'drop_in'

/** Says what a fee in the sheet means for this plan, unless it is simply the monthly fee. */
function describeFees(plan: Plan | undefined): string | undefined {
  if (!plan) return undefined
  const { kind, is_add_on, cycle_unit, cycle_count } = plan
  if (isForVisits(kind)) return 'They get the classes that are left, such as “10 classes, 4 left”.'
  if (is_add_on)
    return 'A fee in your sheet counts as the price of the add-on. They pay no other fee.'
  if (cycle_unit === 'month' && cycle_count === 1) return undefined
  const period = cycle_count === 1 ? `one ${cycle_unit}` : pluralize(cycle_count, cycle_unit)
  return `A fee in your sheet counts as the price of ${period}.`
}

const toNewPlanOption = ({ fee }: MembershipInSheet) => ({
  value: NEW_PLAN,
  label: `A new plan, ${formatMoney(fee)} a month`,
})

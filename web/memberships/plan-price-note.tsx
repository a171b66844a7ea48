import { firstDayOf, nextMonth } from '@tatami/contract/lib/calendar-day'
import { membershipsApi, type Subscription } from '@tatami/contract/memberships/memberships'
import { plansApi } from '@tatami/contract/plans/plans'
import { useQuery } from '@tanstack/react-query'
import { formatDate } from '../lib/dates.ts'
import { thisMonth } from '../lib/month.ts'
import { endpointQuery } from '../lib/query.ts'
import kit from '../ui/kit.module.css'

type Props = {
  studentId: string
  /** What the form would change, or null while it shows the fee that is stored. */
  change: { isRaise: boolean; startsNextMonth: boolean } | null
}

const isRunningPlan = ({ is_add_on, state }: Subscription): boolean =>
  !is_add_on && (state === 'running' || state === 'ending')

/** The fee of a student on a plan is the price of the plan. */
export function PlanPriceNote({ studentId, change }: Props) {
  const { data: plans = [] } = useQuery(endpointQuery(plansApi.list))
  const { data: membership } = useQuery({
    ...endpointQuery(membershipsApi.show, { params: { id: studentId } }),
    enabled: plans.length > 0,
  })
  const plan = membership?.subscriptions.find(isRunningPlan)
  if (!plan) return null
  return (
    <p className={kit.note} role="status">
      {describePlanPrice(plan, change)}
    </p>
  )
}

function describePlanPrice(
  { plan_name, cycle_unit, cycle_count, starts_on }: Subscription,
  change: Props['change'],
): string {
  if (cycle_unit !== 'month' || cycle_count !== 1)
    return `This is what the plan ${plan_name} costs in a month. Change it on the Membership card.`
  if (change === null) return `This is the price of the plan ${plan_name}.`
  const month = thisMonth()
  const firstDay = firstDayOf(change.startsNextMonth ? nextMonth(month) : month)
  const day = formatDate(firstDay < starts_on ? starts_on : firstDay)
  const effect = `This becomes the student’s own price of the plan ${plan_name} from ${day}.`
  return change.isRaise ? `${effect} Whoever pays is told.` : effect
}

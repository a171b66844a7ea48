import { describeAges, listPlanTerms } from '@tatami/contract/plans/plan-facts'
import { describePlanPrice } from '@tatami/contract/plans/plan-words'
import type { Plan } from '@tatami/contract/plans/plans'
import { formatMonthAndDay } from '../lib/dates.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'
import type { PlanDetails } from './plan-form.ts'

/** How many members pay another price than new members do. */
export const countAtOtherPrices = ({ versions, price }: Plan): number =>
  versions
    .filter((version) => version.price !== price)
    .reduce((count, { members }) => count + members, 0)

export function describeMembers(plan: Plan): string {
  const { members, retired_at } = plan
  if (members === 0) return retired_at === null ? 'Nobody has it yet' : 'Nobody has it'
  const otherCount = countAtOtherPrices(plan)
  return joinNonEmpty([
    pluralize(members, 'member'),
    otherCount > 0 && `${otherCount} at an earlier price`,
  ])
}

/** "All members pay $99 a month from the first payment on or after January 1" */
export function describeAnnouncement({ announcement, ...plan }: Plan): string | false {
  if (!announcement) return false
  const price = describePlanPrice({ ...plan, price: announcement.price })
  const day = formatMonthAndDay(announcement.effective_on)
  return `All members pay ${price} from the first payment on or after ${day}`
}

/** "Twice a week", "At least 6 months", "Sign-up fee $50" */
export const listPlanFacts = (plan: PlanDetails) => [
  ...listPlanTerms(plan),
  describeAges(plan),
  plan.class_ids && pluralize(plan.class_ids.length, 'class', 'classes'),
]

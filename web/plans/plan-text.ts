import { formatShortMoney } from '@tatami/contract/lib/money'
import { describeLimit, describePlanPrice } from '@tatami/contract/plans/plan-words'
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

/** "All members pay $99 a month from January 1" */
export function describeAnnouncement({ announcement, ...plan }: Plan): string | false {
  if (!announcement) return false
  const price = describePlanPrice({ ...plan, price: announcement.price })
  return `All members pay ${price} from ${formatMonthAndDay(announcement.effective_on)}`
}

function describeTerm({ kind, minimum_months, renews_for_months }: PlanDetails): string | false {
  if (minimum_months === 0) return false
  const term = pluralize(minimum_months, 'month')
  if (kind === 'renewing')
    return `${term}, then renews for ${pluralize(renews_for_months || minimum_months, 'month')}`
  return kind === 'term' ? `Ends after ${term}` : `At least ${term}`
}

function describeAges({ age_from, age_until }: PlanDetails): string | false {
  if (age_from !== null && age_until !== null) return `Ages ${age_from}–${age_until}`
  if (age_from !== null) return `From age ${age_from}`
  return age_until !== null && `Up to age ${age_until}`
}

/** "Twice a week", "At least 6 months", "Sign-up fee $50" */
export const listPlanFacts = (plan: PlanDetails) => [
  plan.entry_limit !== null &&
    plan.entry_limit_per !== null &&
    describeLimit({ count: plan.entry_limit, per: plan.entry_limit_per }),
  plan.valid_days !== null && `Valid for ${pluralize(plan.valid_days, 'day')}`,
  describeTerm(plan),
  plan.notice_days > 0 && `${pluralize(plan.notice_days, 'day')}’ notice`,
  !!plan.sign_up_fee && `Sign-up fee ${formatShortMoney(plan.sign_up_fee)}`,
  !!plan.yearly_fee && `Yearly fee ${formatShortMoney(plan.yearly_fee)}`,
  describeAges(plan),
  plan.class_ids && pluralize(plan.class_ids.length, 'class', 'classes'),
]

import { IconInfoCircle } from '@tabler/icons-react'
import { formatShortMoney, typedAmount } from '@tatami/contract/lib/money'
import type { Plan } from '@tatami/contract/plans/plans'
import { pluralize } from '../lib/text.ts'
import kit from '../ui/kit.module.css'

type Props = { plan: Plan; price: string }

/** What a new price means for the members that the plan has. */
export function PriceChangeNote({ plan, price }: Props) {
  if (plan.members === 0 || plan.price === null) return null
  const members = pluralize(plan.members, 'member')
  const verb = plan.members === 1 ? 'keeps' : 'keep'
  return (
    <div role="status" className={kit.notice} data-tone="blue">
      <IconInfoCircle size={20} aria-hidden />
      <p>
        {members} {verb} {formatShortMoney(plan.price)}. New members pay{' '}
        {formatShortMoney(typedAmount(price))}. After saving, you can tell your members about the
        new price.
      </p>
    </div>
  )
}

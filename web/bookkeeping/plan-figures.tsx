import { formatMoney } from '@tatami/contract/lib/money'
import {
  type MembershipFigures,
  membershipFiguresApi,
} from '@tatami/contract/memberships/membership-figures'
import { MONTHS } from '@tatami/contract/lib/calendar-day'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../lib/query.ts'
import { BarTable } from '../ui/bar-table.tsx'
import { Panel } from '../ui/panel.tsx'
import styles from './payment-figures.module.css'
import kit from '../ui/kit.module.css'

/** Shows nothing until somebody has a plan. */
export function PlanFigures() {
  const { data } = useQuery(endpointQuery(membershipFiguresApi.show))
  const hasPlans = data?.by_plan.some(({ plan_id }) => plan_id !== null)
  return data && hasPlans ? <PlanPanel figures={data} /> : null
}

function PlanPanel({ figures }: { figures: MembershipFigures }) {
  const revenues = figures.by_plan.map(({ recurring_revenue }) => recurring_revenue)
  const largestRevenue = Math.max(0.01, ...revenues)
  return (
    <Panel title="Memberships today">
      <p className={kit.note}>
        Yearly and weekly prices are converted to months. Family discounts and added sales tax are
        ignored. Members on a free hold count as nothing.
      </p>
      <dl className={styles.planTiles}>
        {listTiles(figures).map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <BarTable
        hasColumns
        headers={['Plan', 'Each month', 'Members']}
        rows={figures.by_plan.map(({ plan_name, recurring_revenue, members }) => ({
          label: plan_name,
          value: formatMoney(recurring_revenue),
          lastCell: String(members),
          share: recurring_revenue / largestRevenue,
          color: 'var(--green)',
        }))}
      />
    </Panel>
  )
}

const listTiles = (figures: MembershipFigures) => {
  const monthName = MONTHS[figures.month] ?? ''
  const nextMonthName = MONTHS[(figures.month + 1) % 12] ?? ''
  return [
    { label: 'Each month', value: formatMoney(figures.recurring_revenue) },
    { label: `Due in ${nextMonthName}`, value: formatMoney(figures.next_month) },
    { label: `Joining in ${monthName}`, value: String(figures.joining) },
    { label: `Ending in ${monthName}`, value: String(figures.ending) },
    { label: `Holds ending in ${monthName}`, value: String(figures.holds_ending) },
  ]
}

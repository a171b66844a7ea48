import { formatMoney } from '@tatami/contract/lib/money'
import {
  type FigureRow,
  type MembershipFigures,
  membershipFiguresApi,
} from '@tatami/contract/memberships/membership-figures'
import { MONTHS } from '@tatami/contract/lib/calendar-day'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { endpointQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { BarTable } from '../ui/bar-table.tsx'
import { Panel } from '../ui/panel.tsx'
import { FigureList } from './figure-list.tsx'
import styles from './payment-figures.module.css'
import kit from '../ui/kit.module.css'

/** Shows nothing until somebody has a plan. */
export function PlanFigures() {
  const { data } = useQuery(endpointQuery(membershipFiguresApi.show))
  const hasPlans = data?.by_plan.some(({ plan_id }) => plan_id !== null)
  return data && hasPlans ? <PlanPanel figures={data} /> : null
}

/** Avoids dividing by zero. */
const ONE_CENT = 0.01

type OpenList = { title: string; rows: readonly FigureRow[] }

function PlanPanel({ figures }: { figures: MembershipFigures }) {
  const [openList, setOpenList] = useState<OpenList | null>(null)
  const revenues = figures.by_plan.map(({ recurring_revenue }) => recurring_revenue)
  const largestRevenue = Math.max(ONE_CENT, ...revenues)
  return (
    <Panel title="Memberships today">
      <p className={kit.note}>
        Yearly and weekly prices are converted to months. Family discounts and added sales tax are
        ignored. Members on a free hold count as $0. Tap a number to see the students.
      </p>
      <dl className={styles.planTiles}>
        {listTiles(figures).map(({ label, value, rows }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <FigureButton onClick={() => setOpenList({ title: label, rows })}>
                {value}
              </FigureButton>
            </dd>
          </div>
        ))}
      </dl>
      <BarTable
        hasColumns
        headers={['Plan', 'Each month', 'Members']}
        rows={figures.by_plan.map(({ plan_id, plan_name, recurring_revenue, members }) => ({
          label: plan_name,
          value: formatMoney(recurring_revenue),
          lastCell: (
            <FigureButton
              label={`${pluralize(members, 'member')} of ${plan_name}`}
              onClick={() =>
                setOpenList({
                  title: plan_name,
                  rows: figures.lists.members.filter((row) => row.plan_id === plan_id),
                })
              }
            >
              {members}
            </FigureButton>
          ),
          share: recurring_revenue / largestRevenue,
          color: 'var(--green)',
        }))}
      />
      {openList && <FigureList {...openList} onClose={() => setOpenList(null)} />}
    </Panel>
  )
}

type ButtonProps = { label?: string; onClick: () => void; children: ReactNode }

const FigureButton = ({ label, onClick, children }: ButtonProps) => (
  <button
    type="button"
    className={`${kit.bareButton} ${styles.figureButton}`}
    aria-label={label}
    onClick={onClick}
  >
    {children}
  </button>
)

type Tile = { label: string; value: string; rows: readonly FigureRow[] }

function listTiles({ lists, ...figures }: MembershipFigures): Tile[] {
  const monthName = MONTHS[figures.month] ?? ''
  const nextMonthName = MONTHS[(figures.month + 1) % 12] ?? ''
  return [
    { label: 'Each month', value: formatMoney(figures.recurring_revenue), rows: lists.members },
    {
      label: `Due in ${nextMonthName}`,
      value: formatMoney(figures.next_month),
      rows: lists.next_month,
    },
    { label: `Joining in ${monthName}`, value: String(figures.joining), rows: lists.joining },
    { label: `Ending in ${monthName}`, value: String(figures.ending), rows: lists.ending },
    {
      label: `Holds ending in ${monthName}`,
      value: String(figures.holds_ending),
      rows: lists.holds_ending,
    },
  ]
}

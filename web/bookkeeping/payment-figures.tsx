import { addMonths, monthKey } from '@tatami/contract/lib/calendar-day'
import { formatMoney, sumDollars } from '@tatami/contract/lib/money'
import { Button, NativeSelect, Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { methodName } from '@tatami/contract/ledger/charge-words'
import { formatPercent } from '@tatami/contract/ledger/tax-words'
import { type PaymentFigures, paymentFiguresApi } from '@tatami/contract/dues/payment-figures'
import { useState } from 'react'
import { exportsApi } from '@tatami/contract/exports/exports'
import { WithRight } from '../ui/with-right.tsx'
import { formatMonthOfDate } from '../lib/dates.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { thisMonth } from '../lib/month.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { useUrlQuery } from '../lib/url-query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { BarTable } from '../ui/bar-table.tsx'
import { Panel } from '../ui/panel.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { ExpectedChart, OwedChart } from './figures-charts.tsx'
import { MoneySwitch } from '../dues/money-switch.tsx'
import styles from './payment-figures.module.css'
import kit from '../ui/kit.module.css'
import { Loading } from '../ui/loading.tsx'
import { PlanFigures } from './plan-figures.tsx'
import { PrintButton } from '../ui/print-button.tsx'
import { listRecentYears } from './year-select.tsx'

const BookkeepingSheet = lazyComponent(() => import('./bookkeeping-sheet.tsx'), 'BookkeepingSheet')

const LAST_12_MONTHS = 'last-12'
/** Finds the first and last month of a period. The current year ends with the current month. */
function findMonths(period: string): { from: string; to: string } {
  const currentMonth = monthKey(thisMonth())
  if (period === LAST_12_MONTHS)
    return { from: monthKey(addMonths(thisMonth(), -11)), to: currentMonth }
  return {
    from: `${period}-01`,
    to: period === String(thisMonth().year) ? currentMonth : `${period}-12`,
  }
}

export function PaymentFiguresScreen() {
  const [query, changeQuery] = useUrlQuery()
  const years = listRecentYears()
  const periodParam = query.get('period') ?? ''
  const period = years.includes(periodParam) ? periodParam : LAST_12_MONTHS
  const months = findMonths(period)
  const [isExporting, setIsExporting] = useState(false)
  const figures = useRetryingQuery(endpointQuery(paymentFiguresApi.show, { query: months }))
  return (
    <Stack gap="md">
      <MoneySwitch />
      <PageHeader title="Payment Reports" subtitle="Calculated from the payments you entered.">
        <PrintButton variant="default" />
        <WithRight right={exportsApi.bookkeeping.right}>
          <Button
            variant="default"
            aria-haspopup="dialog"
            leftSection={<IconDownload size={20} aria-hidden />}
            onClick={() => setIsExporting(true)}
          >
            For your bookkeeper
          </Button>
        </WithRight>
      </PageHeader>
      <NativeSelect
        label="Period"
        className={styles.period}
        value={period}
        onChange={({ currentTarget: { value } }) =>
          changeQuery({ period: value === LAST_12_MONTHS ? '' : value })
        }
        data={[{ value: LAST_12_MONTHS, label: 'Last 12 months' }, ...years]}
      />
      <p className={styles.months}>
        {formatMonthOfDate(`${months.from}-01`)} to {formatMonthOfDate(`${months.to}-01`)}
      </p>
      <Loading query={figures} error="The figures could not be loaded.">
        <SkeletonBlock height="48rem">Loading the figures...</SkeletonBlock>
      </Loading>
      {figures.data && <Figures figures={figures.data} />}
      {/* This comes last, because it loads later and would push other figures down. */}
      {figures.data && <PlanFigures />}
      {isExporting && <BookkeepingSheet months={months} onClose={() => setIsExporting(false)} />}
    </Stack>
  )
}

/** Avoids dividing by zero. */
const ONE_CENT = 0.01

/** Calculates the length of a bar as a share of the longest one. */
const calculateShare = (amount: number, amounts: readonly number[]) =>
  Math.max(0, amount) / Math.max(ONE_CENT, ...amounts)

const TILES = [
  { column: 'expected', label: 'Expected' },
  { column: 'received', label: 'Received' },
  { column: 'owed', label: 'Still owed' },
  { column: 'written_off', label: 'Written off' },
] as const

function Figures({
  figures: { months, methods, classes, sales_tax },
}: {
  figures: PaymentFigures
}) {
  const layout = useLayout()
  if (months.every(({ expected, received }) => expected === 0 && received === 0))
    return <EmptyState>No payments in these months</EmptyState>
  const methodSums = methods.map(({ received }) => received)
  const classSums = classes.flatMap(({ received, expected }) => [received, expected])
  return (
    <>
      <dl className={styles.tiles}>
        {TILES.map(({ column, label }) => (
          <div key={column} className={`${kit.card} ${styles.tile}`}>
            <dt>{label}</dt>
            <dd>{formatMoney(sumDollars(months.map((month) => month[column])))}</dd>
          </div>
        ))}
      </dl>
      <div className={`${kit.stack} ${styles.parts}`} data-layout={layout}>
        <Panel title="Expected and received">
          <p className={kit.note}>
            Expected: fees for the month. Received: payments during the month, for any month.
          </p>
          <ExpectedChart months={months} />
        </Panel>
        <Panel title="Still owed and written off">
          <p className={kit.note}>The part of the expected amount that is not paid, as of today.</p>
          <OwedChart months={months} />
        </Panel>
        <Panel title="Received by method">
          <BarTable
            hasColumns
            headers={['Method', 'Received']}
            rows={methods.map(({ method, received }) => ({
              label: methodName(method),
              value: formatMoney(received),
              share: calculateShare(received, methodSums),
              color: 'var(--green)',
            }))}
          />
        </Panel>
        {sales_tax.length > 0 && <SalesTaxPanel taxes={sales_tax} />}
        <Panel title="By class">
          <p className={kit.note}>Students in several classes are split evenly between them.</p>
          <BarTable
            hasColumns
            headers={['Class', 'Received', 'Expected']}
            rows={classes.map(({ class_name, received, expected }) => ({
              label: class_name ?? 'No class',
              value: formatMoney(received),
              lastCell: formatMoney(expected),
              share: calculateShare(received, classSums),
              outline: calculateShare(expected, classSums),
              color: 'var(--green)',
            }))}
          />
        </Panel>
      </div>
    </>
  )
}

/** If a charge was paid with credit, its tax counts on the day of that payment. */
function SalesTaxPanel({ taxes }: { taxes: PaymentFigures['sales_tax'] }) {
  const amounts = taxes.map(({ collected }) => collected)
  return (
    <Panel title="Sales tax collected">
      <p className={kit.note}>Included in the amounts received, minus refunds.</p>
      <BarTable
        hasColumns
        headers={['Month and rate', 'Collected']}
        rows={taxes.map(({ month, percent, collected }) => ({
          label: `${formatMonthOfDate(month)}, ${formatPercent(percent)}`,
          value: formatMoney(collected),
          share: calculateShare(collected, amounts),
          color: 'var(--green)',
        }))}
      />
    </Panel>
  )
}

import type { PaymentFigures } from '@tatami/contract/dues/payment-figures'
import { MoneyColumns } from '../ui/money-columns.tsx'
import { ChartLegend } from '../ui/month-chart.tsx'
import styles from './figures-charts.module.css'

type Month = PaymentFigures['months'][number]
export const ExpectedChart = ({ months }: { months: Month[] }) => (
  <>
    <ChartLegend
      items={[
        { className: styles.received, label: 'Received' },
        { className: styles.expected, label: 'Expected' },
      ]}
    />
    <MoneyColumns
      label="Expected and received by month"
      months={months}
      headers={['Expected', 'Received']}
      columns={({ expected, received }) => [
        [received, styles.received],
        [expected, styles.expected],
      ]}
      tableRow={({ expected, received }) => [expected, received]}
    />
  </>
)

/** Each column is an unpaid amount. The upper part of it was written off. */
export const OwedChart = ({ months }: { months: Month[] }) => (
  <>
    <ChartLegend
      items={[
        { className: styles.owed, label: 'Still owed' },
        { className: styles.writtenOff, label: 'Written off' },
      ]}
    />
    <MoneyColumns
      label="Still owed and written off by month"
      months={months}
      headers={['Still owed', 'Written off']}
      columns={({ owed, written_off }) => [
        [owed + written_off, styles.writtenOff],
        [owed, styles.owed],
      ]}
      tableRow={({ owed, written_off }) => [owed, written_off]}
    />
  </>
)

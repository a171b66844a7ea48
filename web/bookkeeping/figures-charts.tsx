import type { PaymentFigures } from '@tatami/contract/dues/payment-figures'
import { MoneyColumns } from '../ui/money-columns.tsx'
import { ChartKey } from '../ui/month-chart.tsx'
import styles from './figures-charts.module.css'

type Month = PaymentFigures['months'][number]
export const ExpectedChart = ({ months }: { months: Month[] }) => (
  <>
    <ChartKey
      kinds={[
        { className: styles.received, says: 'Received' },
        { className: styles.expected, says: 'Expected' },
      ]}
    />
    <MoneyColumns
      label="Expected and received by month"
      months={months}
      heads={['Expected', 'Received']}
      columns={({ expected, received }) => [
        [received, styles.received],
        [expected, styles.expected],
      ]}
      figures={({ expected, received }) => [expected, received]}
    />
  </>
)

export const OwedChart = ({ months }: { months: Month[] }) => (
  <>
    <ChartKey
      kinds={[
        { className: styles.owed, says: 'Still owed' },
        { className: styles.writtenOff, says: 'Written off' },
      ]}
    />
    <MoneyColumns
      label="Still owed and written off by month"
      months={months}
      heads={['Still owed', 'Written off']}
      columns={({ owed, written_off }) => [
        [owed + written_off, styles.writtenOff],
        [owed, styles.owed],
      ]}
      figures={({ owed, written_off }) => [owed, written_off]}
    />
  </>
)

import { NativeSelect } from '@mantine/core'
import type { Month } from '@tatami/contract/month'
import { lateFeeYears, MONTHS } from '../lib/month.ts'
import styles from './month-fields.module.css'

type Props = { month: Month; firstYear: number; onChange: (month: Month) => void }

export const MonthFields = ({ month, firstYear, onChange }: Props) => (
  <div className={styles.fields}>
    <NativeSelect
      label="Month"
      value={month.month}
      data={MONTHS.map((label, value) => ({ label, value: String(value) }))}
      onChange={(event) => onChange({ ...month, month: Number(event.currentTarget.value) })}
    />
    <NativeSelect
      label="Year"
      value={month.year}
      data={lateFeeYears(firstYear).map(String)}
      onChange={(event) => onChange({ ...month, year: Number(event.currentTarget.value) })}
    />
  </div>
)

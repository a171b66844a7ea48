import type { Analytics } from '@tatami/contract/dashboard'
import { BarTable } from './bar-table.tsx'
import styles from './month-chart.module.css'

const inPercent = (rate: number | null) => (rate === null ? 'no marks' : `${Math.round(rate * 100)}%`)

export const AttendanceChart = ({ attendance }: { attendance: Analytics['attendance'] }) => (
  <>
    <p className={styles.note}>
      {attendance.length > 0 ? 'How many of those marked were present, last 8 weeks' : 'No classes to count yet'}
    </p>
    {attendance.length > 0 && (
      <BarTable
        heads={['Class', 'Present']}
        rows={attendance.map(({ class_name, rate }) => ({
          label: class_name,
          said: inPercent(rate),
          share: rate ?? 0,
          colour: 'var(--green)',
        }))}
      />
    )}
  </>
)

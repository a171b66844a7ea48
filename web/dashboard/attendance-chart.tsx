import type { Analytics } from '@tatami/contract/dashboard/dashboard'
import { formatPercent } from '@tatami/contract/lib/percent'
import { BarTable } from '../ui/bar-table.tsx'
import kit from '../ui/kit.module.css'

const formatRate = (rate: number | null) => (rate === null ? 'no marks' : formatPercent(rate * 100))

export const AttendanceChart = ({ attendance }: { attendance: Analytics['attendance'] }) => (
  <>
    <p className={kit.muted}>
      {attendance.length > 0
        ? 'Share of marked students who were present, last 8 weeks'
        : 'No classes to count yet'}
    </p>
    {attendance.length > 0 && (
      <BarTable
        headers={['Class', 'Present']}
        rows={attendance.map(({ class_name, rate }) => ({
          label: class_name,
          value: formatRate(rate),
          share: rate ?? 0,
          color: 'var(--green)',
        }))}
      />
    )}
  </>
)

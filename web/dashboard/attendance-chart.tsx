import type { Analytics } from '@tatami/contract/dashboard/dashboard'
import { formatPercent } from '@tatami/contract/lib/percent'
import { BarTable } from '../ui/bar-table.tsx'
import { findLowestAttendance } from './key-figures.ts'
import kit from '../ui/kit.module.css'

const formatRate = (rate: number | null) => (rate === null ? 'no marks' : formatPercent(rate * 100))

type Props = {
  attendance: Analytics['attendance']
  /** How many classes to show. The ones with the lowest attendance are shown. */
  limit?: number
}

export function AttendanceChart({ attendance, limit = attendance.length }: Props) {
  const isShortened = attendance.length > limit
  const classes = isShortened ? findLowestAttendance(attendance, limit) : attendance
  return (
    <>
      <p className={kit.muted}>
        {attendance.length > 0
          ? 'Share of marked students who were present, last 8 weeks'
          : 'No classes to count yet'}
        {isShortened &&
          classes.length > 0 &&
          `. The ${limit} lowest of ${attendance.length} classes`}
      </p>
      {classes.length > 0 && (
        <BarTable
          headers={['Class', 'Present']}
          rows={classes.map(({ class_name, rate }) => ({
            label: class_name,
            value: formatRate(rate),
            share: rate ?? 0,
            color: 'var(--green)',
          }))}
        />
      )}
    </>
  )
}

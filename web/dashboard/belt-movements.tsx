import type { Analytics } from '@tatami/contract/dashboard/dashboard'
import { capitalize } from '../lib/text.ts'
import { ChartLegend } from '../ui/month-chart.tsx'
import kit from '../ui/kit.module.css'
import styles from './belt-movements.module.css'

const COLUMNS = [
  { field: 'stayed', label: 'Stayed' },
  { field: 'joined', label: 'Joined' },
  { field: 'left', label: 'Left' },
] as const

type Movement = Analytics['belt_movements'][number]
const countStudents = ({ joined, left, stayed }: Movement) => joined + left + stayed

export function BeltMovementsChart({ movements }: { movements: Analytics['belt_movements'] }) {
  const maxStudents = Math.max(1, ...movements.map(countStudents))
  return (
    <>
      <p className={kit.muted}>
        Last 12 months, by current or last belt. Students who joined in that time count as joined,
        not as stayed.
      </p>
      <ChartLegend
        items={COLUMNS.map(({ field, label }) => ({ className: styles[field], label }))}
      />
      <div className={styles.frame}>
        <table className={styles.table}>
          <thead>
            <tr>
              {['Belt', ...COLUMNS.map(({ label }) => label)].map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {movements.map((movement) => (
              <tr key={movement.label}>
                <th scope="row">
                  {capitalize(movement.label)}
                  <Bar movement={movement} maxStudents={maxStudents} />
                </th>
                {COLUMNS.map(({ field, label }) => (
                  <td key={field} data-head={label}>
                    {movement[field]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function Bar({ movement, maxStudents }: { movement: Movement; maxStudents: number }) {
  const toPercent = (students: number) => `${(students / maxStudents) * 100}%`
  return (
    <svg width="100%" height="12" aria-hidden className={styles.bar}>
      {COLUMNS.map(({ field }, index) => {
        const previousColumns = COLUMNS.slice(0, index)
        const offset = previousColumns.reduce((sum, column) => sum + movement[column.field], 0)
        return movement[field] > 0 ? (
          <rect
            key={field}
            x={toPercent(offset)}
            width={toPercent(movement[field])}
            y="1"
            height="10"
            className={styles[field]}
          />
        ) : null
      })}
    </svg>
  )
}

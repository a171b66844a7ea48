import type { Analytics } from '@tatami/contract/dashboard/dashboard'
import { capitalize } from '../lib/text.ts'
import { ChartLegend } from '../ui/month-chart.tsx'
import kit from '../ui/kit.module.css'
import styles from './belt-movements.module.css'

const KINDS = [
  { kind: 'stayed', label: 'Stayed' },
  { kind: 'joined', label: 'Joined' },
  { kind: 'left', label: 'Left' },
] as const

type Movement = Analytics['belt_movements'][number]
const sizeOf = ({ joined, left, stayed }: Movement) => joined + left + stayed

/** The chart is a table, so that screen readers get the same figures. */
export function BeltMovementsChart({ movements }: { movements: Analytics['belt_movements'] }) {
  const largest = Math.max(1, ...movements.map(sizeOf))
  return (
    <>
      <p className={kit.muted}>Last 12 months, by belt today or when they left</p>
      <ChartLegend items={KINDS.map(({ kind, label }) => ({ className: styles[kind], label }))} />
      <div className={styles.frame}>
        <table className={styles.table}>
          <thead>
            <tr>
              {['Belt', ...KINDS.map(({ label }) => label)].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {movements.map((movement) => (
              <tr key={movement.label}>
                <th scope="row">
                  {capitalize(movement.label)}
                  <Bar movement={movement} largest={largest} />
                </th>
                {KINDS.map(({ kind, label }) => (
                  <td key={kind} data-head={label}>
                    {movement[kind]}
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

function Bar({ movement, largest }: { movement: Movement; largest: number }) {
  const percent = (people: number) => `${(people / largest) * 100}%`
  return (
    <svg width="100%" height="12" aria-hidden className={styles.bar}>
      {KINDS.map(({ kind }, index) => {
        const offset = KINDS.slice(0, index).reduce((sum, part) => sum + movement[part.kind], 0)
        return movement[kind] > 0 ? (
          <rect
            key={kind}
            x={percent(offset)}
            width={percent(movement[kind])}
            y="1"
            height="10"
            className={styles[kind]}
          />
        ) : null
      })}
    </svg>
  )
}

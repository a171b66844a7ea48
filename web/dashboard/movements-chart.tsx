import type { Analytics } from '@tatami/contract/dashboard'
import { ChartKey } from './chart-key.tsx'
import { column, upAndDown } from './chart-scale.ts'
import { CHART_HEIGHT, MonthChart } from './month-chart.tsx'
import styles from './month-chart.module.css'

/** Room for the numbers over and under the columns. */
const NUMBER = 18

/** Those who came stand on the line, those who left hang from it. */
export function MovementsChart({ movements }: { movements: Analytics['movements'] }) {
  const scale = upAndDown(
    movements.map(({ enrolled }) => enrolled),
    movements.map(({ departed }) => departed),
    CHART_HEIGHT - 2 * NUMBER,
  )
  const { unit } = scale,
    line = scale.line + NUMBER
  return (
    <>
      <ChartKey
        kinds={[
          { className: styles.in, says: 'Enrolled' },
          { className: styles.out, says: 'Left' },
        ]}
      />
      <MonthChart
        label="Enrollments and departures by month"
        months={movements.map(({ month }) => month)}
        heads={['Enrolled', 'Left']}
        figures={movements.map(({ enrolled, departed }) => [enrolled, departed])}
      >
        {movements.map(({ month, enrolled, departed }, index) => {
          const { left, width, middle } = column(index, movements.length)
          return (
            <g key={month}>
              {enrolled > 0 && (
                <rect x={left} width={width} y={line - enrolled * unit} height={enrolled * unit} rx="2" className={styles.in} />
              )}
              {enrolled > 0 && (
                <text x={middle} y={line - enrolled * unit - 5}>
                  {enrolled}
                </text>
              )}
              {departed > 0 && <rect x={left} width={width} y={line + 1} height={departed * unit - 1} rx="2" className={styles.out} />}
              {departed > 0 && (
                <text x={middle} y={line + departed * unit + 14}>
                  {departed}
                </text>
              )}
            </g>
          )
        })}
        <line x1="0" x2="100%" y1={line} y2={line} className={styles.line} />
      </MonthChart>
    </>
  )
}

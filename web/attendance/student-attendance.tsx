import type { StudentPage } from '@tatami/contract/students/students'
import { columnPosition } from '../lib/chart-scale.ts'
import { formatDate } from '../lib/dates.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { ChartLegend, ChartLine, ChartColumn, MonthChart } from '../ui/month-chart.tsx'
import { Presence } from './presence.tsx'
import styles from './student-attendance.module.css'
import kit from '../ui/kit.module.css'

const CHART_HEIGHT_PX = 120
const NUMBER_HEIGHT_PX = 18

type Props = Pick<StudentPage, 'attendance' | 'recent_marks'>

export const StudentAttendance = ({ attendance, recent_marks: marks }: Props) =>
  marks.length === 0 ? (
    <p className={kit.muted}>No attendance yet.</p>
  ) : (
    <div className={kit.stackTight}>
      <AttendanceChart attendance={attendance} />
      <Disclosure summary="Last classes">
        <ul>
          {marks.map(({ id, class_name, class_date, present }) => (
            <li key={id} className={`${kit.spread} ${styles.mark}`}>
              <span>
                {formatDate(class_date)} <span className={kit.note}>{class_name}</span>
              </span>
              <Presence present={present} />
            </li>
          ))}
        </ul>
      </Disclosure>
    </div>
  )

function AttendanceChart({ attendance }: Pick<Props, 'attendance'>) {
  const maxClasses = Math.max(1, ...attendance.map(({ present, absent }) => present + absent))
  const pixelsPerClass = (CHART_HEIGHT_PX - NUMBER_HEIGHT_PX) / maxClasses
  return (
    <div>
      <ChartLegend
        items={[
          { className: styles.present, label: 'Present' },
          { className: styles.absent, label: 'Absent' },
        ]}
      />
      <MonthChart
        label="Attendance by month"
        height={CHART_HEIGHT_PX}
        months={attendance.map(({ month }) => month)}
        headers={['Present', 'Absent']}
        rows={attendance.map(({ present, absent }) => [present, absent])}
      >
        {attendance.map(({ month, present, absent }, index) => {
          const column = { index, count: attendance.length }
          const top = CHART_HEIGHT_PX - (present + absent) * pixelsPerClass
          const absentHeight = absent > 0 ? Math.max(1, absent * pixelsPerClass - 1) : 0
          const presentTop = CHART_HEIGHT_PX - present * pixelsPerClass
          return (
            <g key={month}>
              <ChartColumn
                {...column}
                y={presentTop}
                height={present * pixelsPerClass}
                className={styles.present}
              />
              <ChartColumn
                {...column}
                y={top + 1}
                height={absentHeight}
                className={styles.absent}
              />
              {present + absent > 0 && (
                <text x={columnPosition(index, attendance.length).middle} y={top - 5}>
                  {present}
                </text>
              )}
            </g>
          )
        })}
        <ChartLine y={CHART_HEIGHT_PX} isAxis />
      </MonthChart>
    </div>
  )
}

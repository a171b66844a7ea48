import type { StudentPage } from '@tatami/contract/students/students'
import { formatDate, today } from '../lib/dates.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { MonthTable } from '../ui/month-chart.tsx'
import { Presence } from './presence.tsx'
import styles from './student-attendance.module.css'
import { YearHeatMap } from './year-heat-map.tsx'
import kit from '../ui/kit.module.css'

type Props = Pick<StudentPage, 'attendance' | 'attendance_days' | 'recent_marks'>

export const StudentAttendance = ({ recent_marks: marks, ...yearData }: Props) =>
  marks.length === 0 ? (
    <p className={kit.muted}>No attendance yet.</p>
  ) : (
    <div className={kit.stackTight}>
      <AttendanceChart {...yearData} />
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

/** Shows the year as a heat map by day and as a table by month. */
const AttendanceChart = ({ attendance, attendance_days: days }: Omit<Props, 'recent_marks'>) => (
  <div>
    <YearHeatMap
      firstDay={attendance[0]?.month ?? today()}
      days={days.map(({ day, present }) => ({ day, isPresent: present > 0 }))}
    />
    <MonthTable
      months={attendance.map(({ month }) => month)}
      headers={['Present', 'Absent']}
      rows={attendance.map(({ present, absent }) => [present, absent])}
    />
  </div>
)

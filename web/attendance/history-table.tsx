import type { AttendanceRecord } from '@tatami/contract/attendance'
import { showDate } from '../kernel/dates.ts'
import classes from './history.module.css'
import { Presence } from './presence.tsx'

export type RecordsProps = { records: AttendanceRecord[]; isOwn: boolean }

/** Always: only instructors mark (specification, section 2). */
export const MARKED_BY = 'Instructor'

const COLUMNS = ['Student', 'Class', 'Date', 'Status', 'Marked By']

export const HistoryTable = ({ records, isOwn }: RecordsProps) => (
  <table className={classes.table}>
    <thead>
      <tr>
        {COLUMNS.slice(isOwn ? 1 : 0).map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {records.map(({ id, student_name, class_name, class_time, class_date, present }) => (
        <tr key={id}>
          {!isOwn && (
            <th scope="row" className={classes.who}>
              {student_name}
            </th>
          )}
          <td>
            {class_name} <span className={classes.about}>{class_time}</span>
          </td>
          <td>{showDate(class_date)}</td>
          <td>
            <Presence present={present} />
          </td>
          <td>{MARKED_BY}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

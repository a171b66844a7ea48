import type { AttendanceRecord } from '@tatami/contract/attendance'
import { showDate } from '../lib/dates.ts'
import { DataTable } from '../ui/data-table.tsx'
import classes from './history.module.css'
import { Presence } from './presence.tsx'

export type RecordsProps = { records: AttendanceRecord[]; isOwn: boolean }

/** Always: only instructors mark (specification, section 2). */
export const MARKED_BY = 'Instructor'

const COLUMNS = ['Student', 'Class', 'Date', 'Status', 'Marked By']

export const HistoryTable = ({ records, isOwn }: RecordsProps) => (
  <DataTable columns={COLUMNS.slice(isOwn ? 1 : 0)} className={classes.table}>
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
  </DataTable>
)

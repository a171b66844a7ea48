import { Table } from '@mantine/core'
import type { AttendanceRecord } from '@tatami/contract/attendance'
import { showDate } from '../kernel/dates.ts'
import classes from './history.module.css'
import { Presence } from './presence.tsx'

export type RecordsProps = { records: AttendanceRecord[]; isOwn: boolean }

/** Only instructors mark (specification, section 2). */
export const MARKED_BY = 'Instructor'

export const HistoryTable = ({ records, isOwn }: RecordsProps) => (
  <Table className={classes.table} verticalSpacing="sm" horizontalSpacing="md">
    <Table.Thead>
      <Table.Tr>
        {!isOwn && <Table.Th>Student</Table.Th>}
        <Table.Th>Class</Table.Th><Table.Th>Date</Table.Th><Table.Th>Status</Table.Th><Table.Th>Marked By</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {records.map(({ id, student_name, class_name, class_time, class_date, present }) => (
        <Table.Tr key={id}>
          {!isOwn && <Table.Td className={classes.who}>{student_name}</Table.Td>}
          <Table.Td>{class_name} <span className={classes.about}>{class_time}</span></Table.Td>
          <Table.Td>{showDate(class_date)}</Table.Td>
          <Table.Td><Presence present={present} /></Table.Td>
          <Table.Td>{MARKED_BY}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)

import { Button, Checkbox } from '@mantine/core'
import { IconTrendingDown } from '@tabler/icons-react'
import type { SlippingStudent } from '@tatami/contract/slipping-away/slipping-away'
import { formatDate } from '../lib/dates.ts'
import { useIsTable } from '../lib/use-is-table.ts'
import { Badge } from '../ui/badge.tsx'
import { RankBelt } from '../ui/rank-belt.tsx'
import { rankEdgeStyle, rankName } from '../ui/rank-name.ts'
import { DataTable } from '../ui/data-table.tsx'
import rows from '../ui/choosable-rows.module.css'
import edge from '../ui/row-marks.module.css'
import type { PreloadOnHover } from '../ui/lazy-component.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './slipping-list.module.css'
import { describeAttendanceDrop, describeLastClass } from './at-risk-text.ts'
import kit from '../ui/kit.module.css'

type Props = {
  students: readonly SlippingStudent[]
  selectedIds: readonly string[]
  onSelect: (id: string, isSelected: boolean) => void
  onText: (student: SlippingStudent) => void
  preloadTextDialog: PreloadOnHover
}

export const SlippingList = (props: Props) =>
  useIsTable('62em') ? <Table {...props} /> : <Cards {...props} />

const COLUMNS = ['Select', 'Name', 'Belt', 'Last class', 'Attendance', 'Texted', 'Text']

const Table = ({ students, ...actions }: Props) => (
  <DataTable columns={COLUMNS} className={`${rows.table} ${styles.table}`}>
    <tbody>
      {students.map((student) => (
        <tr key={student.student_id} style={rankEdgeStyle(student.rank, student.belt_level)}>
          <td>
            <SelectStudent student={student} {...actions} />
          </td>
          <th scope="row" className={`${edge.edge} ${rows.rowName}`}>
            <StudentLink id={student.student_id}>{student.name}</StudentLink>
          </th>
          <td>
            <BeltLevel student={student} />
          </td>
          <td>{describeLastClass(student)}</td>
          <td>
            <AttendanceDrop student={student} />
          </td>
          <td>{student.texted_on && formatDate(student.texted_on)}</td>
          <td>
            <TextButton student={student} {...actions} />
          </td>
        </tr>
      ))}
    </tbody>
  </DataTable>
)

const Cards = ({ students, ...actions }: Props) => (
  <ul className={`${kit.stackTight} ${rows.cards}`}>
    {students.map((student) => (
      <li key={student.student_id} className={`${rows.card} ${styles.card}`}>
        <SelectStudent student={student} {...actions} />
        <div className={styles.facts}>
          <StudentLink id={student.student_id} className={rows.name}>
            {student.name}
          </StudentLink>
          <BeltLevel student={student} />
          <span>
            {student.last_class_on && 'Last class '}
            {describeLastClass(student)}
          </span>
          <AttendanceDrop student={student} />
          {student.texted_on && (
            <span className={kit.muted}>Texted {formatDate(student.texted_on)}</span>
          )}
        </div>
        <TextButton student={student} {...actions} />
      </li>
    ))}
  </ul>
)

type StudentProps = { student: SlippingStudent }

const BeltLevel = ({ student: { rank, belt_level } }: StudentProps) => (
  <span className={`${rows.belt} ${kit.muted}`}>
    <RankBelt rank={rank} level={belt_level} size={28} decorative />
    {rankName(rank, belt_level)}
  </span>
)

function AttendanceDrop({ student }: StudentProps) {
  const dropText = describeAttendanceDrop(student)
  return (
    dropText && (
      <Badge tone="orange">
        <IconTrendingDown size={16} aria-hidden />
        {dropText}
      </Badge>
    )
  )
}

type SelectProps = StudentProps & Pick<Props, 'selectedIds' | 'onSelect'>

const SelectStudent = ({ student: { student_id, name }, selectedIds, onSelect }: SelectProps) => (
  <Checkbox
    size="md"
    aria-label={`Select ${name}`}
    className={rows.checkbox}
    checked={selectedIds.includes(student_id)}
    onChange={(event) => onSelect(student_id, event.currentTarget.checked)}
  />
)

type TextButtonProps = StudentProps & Pick<Props, 'onText' | 'preloadTextDialog'>

const TextButton = ({ student, onText, preloadTextDialog }: TextButtonProps) => (
  <Button variant="default" size="sm" onClick={() => onText(student)} {...preloadTextDialog}>
    Text<VisuallyHidden>{` ${student.name}`}</VisuallyHidden>
  </Button>
)

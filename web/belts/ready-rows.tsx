import { Button, Checkbox } from '@mantine/core'
import { IconArrowRight, IconCheck } from '@tabler/icons-react'
import type { ReadyStudent } from '@tatami/contract/belts/readiness'
import { useCan } from '../lib/current-user.ts'
import { pluralize } from '../lib/text.ts'
import { DataTable } from '../ui/data-table.tsx'
import { RankBelt, rankEdgeStyle, rankName } from '../ui/rank-belt.tsx'
import rows from '../ui/choosable-rows.module.css'
import edge from '../ui/row-marks.module.css'
import { StudentLink } from '../ui/student-link.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { hasApprovalRule, describeMissingRules } from './ready-groups.ts'
import styles from './ready-rows.module.css'
import type { ReadyActions } from './use-ready-actions.ts'
import kit from '../ui/kit.module.css'

export type RowProps = {
  selectedIds: ReadonlySet<string>
  onSelect: (ids: readonly string[], isSelected: boolean) => void
  actions: ReadyActions
  isForecast: boolean
}
type ListProps = RowProps & { students: readonly ReadyStudent[] }
type StudentProps = RowProps & { student: ReadyStudent }

const COLUMNS = ['Select', 'Name', 'Belt', 'Next belt', 'In this belt']

/** False for students whose status is the heading of their group. */
const hasStatus = ({ readiness }: ReadyStudent) => readiness !== 'ready' && readiness !== 'promoted'

export function ReadyTable({ students, ...rowProps }: ListProps) {
  const hasMissingColumn = students.some(hasStatus)
  const hasActions = students.some(
    (student) => canGetStripe(student, rowProps.isForecast) || canBeApproved(student),
  )
  return (
    <DataTable
      columns={[
        ...COLUMNS,
        ...(hasMissingColumn ? ['Missing'] : []),
        ...(hasActions ? ['Actions'] : []),
      ]}
      className={`${rows.table} ${styles.table}`}
    >
      <tbody>
        {students.map((student) => (
          <tr key={student.student_id} style={rankEdgeStyle(student.rank, student.belt_level)}>
            <td>
              <SelectStudent student={student} {...rowProps} />
            </td>
            <th scope="row" className={`${edge.edge} ${rows.rowName}`}>
              <StudentLink id={student.student_id}>{student.name}</StudentLink>
            </th>
            <td>
              <CurrentRank student={student} />
            </td>
            <td>
              <NextRank student={student} />
            </td>
            <td>{formatTimeAtRank(student)}</td>
            {hasMissingColumn && (
              <td>
                <Status student={student} />
              </td>
            )}
            {hasActions && (
              <td>
                <div className={styles.actions}>
                  <Actions student={student} {...rowProps} />
                </div>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </DataTable>
  )
}

export const ReadyCards = ({ students, ...rowProps }: ListProps) => (
  <ul className={`${kit.stackTight} ${rows.cards}`}>
    {students.map((student) => (
      <li key={student.student_id} className={`${rows.card} ${styles.card}`}>
        <SelectStudent student={student} {...rowProps} />
        <StudentLink id={student.student_id} className={`${rows.name} ${styles.name}`}>
          {student.name}
        </StudentLink>
        <span className={`${kit.row} ${styles.belts}`}>
          <CurrentRank student={student} />
          {student.next && (
            <>
              <IconArrowRight size={16} aria-label="to" className={styles.arrow} />
              <NextRank student={student} />
            </>
          )}
        </span>
        <div className={`${kit.row} ${styles.facts}`}>
          {hasStatus(student) && <Status student={student} />}
          <span className={kit.muted}>{formatTimeAtRank(student)}</span>
        </div>
        <div className={styles.actions}>
          <Actions student={student} {...rowProps} />
        </div>
      </li>
    ))}
  </ul>
)

const formatTimeAtRank = ({ months, classes }: ReadyStudent) =>
  `${pluralize(months, 'month')}, ${pluralize(classes, 'class', 'classes')}`

const CurrentRank = ({ student: { rank, belt_level } }: Pick<StudentProps, 'student'>) => (
  <span className={rows.belt}>
    <RankBelt rank={rank} level={belt_level} size={32} decorative />
    {rankName(rank, belt_level)}
  </span>
)

const NextRank = ({ student: { next, belt_level } }: Pick<StudentProps, 'student'>) =>
  next && (
    <span className={rows.belt}>
      <RankBelt rank={next} level={belt_level} size={32} decorative />
      {rankName(next, belt_level)}
    </span>
  )

function Status({ student }: Pick<StudentProps, 'student'>) {
  const { missing, next, readiness, instructor_decides } = student
  if (readiness === 'outgrown') return <span>Choose the next ladder on their page</span>
  if (!next) return <span>Top rank</span>
  if (instructor_decides) return <span>No requirements</span>
  return (
    <span>{missing.length === 0 ? 'All requirements met' : describeMissingRules(missing)}</span>
  )
}

const SelectStudent = ({
  student: { student_id, name, next },
  selectedIds,
  onSelect,
}: StudentProps) => (
  <Checkbox
    size="md"
    aria-label={`Select ${name}`}
    className={rows.checkbox}
    disabled={!next}
    checked={selectedIds.has(student_id)}
    onChange={(event) => onSelect([student_id], event.currentTarget.checked)}
  />
)

const canGetStripe = ({ rank, max_stripes }: ReadyStudent, isForecast: boolean) =>
  !isForecast && rank.stripes < max_stripes
const canBeApproved = (student: ReadyStudent) => student.next !== null && hasApprovalRule(student)

function Actions({ student, actions, isForecast }: StudentProps) {
  const mayPromote = useCan()('belts.promote')
  const { name, is_approved } = student
  return (
    <>
      {canGetStripe(student, isForecast) && mayPromote && (
        <Button variant="default" size="sm" onClick={() => void actions.giveStripe(student)}>
          + Stripe<VisuallyHidden>{` for ${name}`}</VisuallyHidden>
        </Button>
      )}
      {canBeApproved(student) && (
        <Button
          variant={is_approved ? 'light' : 'default'}
          color={is_approved ? 'green' : 'violet'}
          size="sm"
          aria-pressed={is_approved}
          leftSection={is_approved ? <IconCheck size={16} aria-hidden /> : undefined}
          onClick={() => actions.approve(student)}
        >
          {is_approved ? 'Approved' : 'Approve'}
          <VisuallyHidden>{` ${name}`}</VisuallyHidden>
        </Button>
      )}
    </>
  )
}

import { Button, Checkbox } from '@mantine/core'
import { IconArrowRight, IconCheck } from '@tabler/icons-react'
import type { ReadyStudent } from '@tatami/contract/belts/readiness'
import { pluralize } from '../lib/text.ts'
import { Badge } from '../ui/badge.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { RankBelt, rankEdgeStyle, rankName } from '../ui/rank-belt.tsx'
import rows from '../ui/choosable-rows.module.css'
import edge from '../ui/row-marks.module.css'
import { StudentLink } from '../ui/student-link.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { asksApproval, missingText } from './ready-groups.ts'
import styles from './ready-rows.module.css'
import type { ReadyActs } from './use-ready-acts.ts'
import kit from '../ui/kit.module.css'

export type RowProps = {
  selectedIds: ReadonlySet<string>
  onSelect: (ids: readonly string[], isChosen: boolean) => void
  acts: ReadyActs
  /** Stripes are only given today. */
  isForecast: boolean
}
type ListProps = RowProps & { students: readonly ReadyStudent[] }
type StudentProps = RowProps & { student: ReadyStudent }

const COLUMNS = ['Select', 'Name', 'Belt', 'Next belt', 'In this belt', 'Missing']

export function ReadyTable({ students, ...rowProps }: ListProps) {
  const hasActions = students.some(
    (student) => mayGetStripe(student, rowProps.isForecast) || mayBeApproved(student),
  )
  return (
    <DataTable
      columns={hasActions ? [...COLUMNS, 'Actions'] : COLUMNS}
      className={`${rows.table} ${styles.table}`}
    >
      <tbody>
        {students.map((student) => (
          <tr key={student.student_id} style={rankEdgeStyle(student.rank, student.belt_level)}>
            <td>
              <Choose student={student} {...rowProps} />
            </td>
            <th scope="row" className={`${edge.edge} ${rows.rowName}`}>
              <StudentLink id={student.student_id}>{student.name}</StudentLink>
            </th>
            <td>
              <CurrentRank student={student} />
            </td>
            <td>
              <Next student={student} />
            </td>
            <td>{timeText(student)}</td>
            <td>
              <State student={student} />
            </td>
            {hasActions && (
              <td>
                <div className={styles.acts}>
                  <Acts student={student} {...rowProps} />
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
        <Choose student={student} {...rowProps} />
        <StudentLink id={student.student_id} className={`${rows.name} ${styles.name}`}>
          {student.name}
        </StudentLink>
        <span className={`${kit.row} ${styles.belts}`}>
          <CurrentRank student={student} />
          {student.next && (
            <>
              <IconArrowRight size={16} aria-label="to" className={styles.arrow} />
              <Next student={student} />
            </>
          )}
        </span>
        <div className={`${kit.spread} ${styles.foot}`}>
          <div className={`${kit.row} ${styles.facts}`}>
            <State student={student} />
            <span className={kit.muted}>{timeText(student)}</span>
          </div>
          <div className={styles.acts}>
            <Acts student={student} {...rowProps} />
          </div>
        </div>
      </li>
    ))}
  </ul>
)

/** "4 months, 33 classes" */
const timeText = ({ months, classes }: ReadyStudent) =>
  `${pluralize(months, 'month')}, ${classes} ${classes === 1 ? 'class' : 'classes'}`

const CurrentRank = ({ student: { rank, belt_level } }: Pick<StudentProps, 'student'>) => (
  <span className={rows.belt}>
    <RankBelt rank={rank} level={belt_level} size={32} decorative />
    {rankName(rank, belt_level)}
  </span>
)

const Next = ({ student: { next, belt_level } }: Pick<StudentProps, 'student'>) =>
  next && (
    <span className={rows.belt}>
      <RankBelt rank={next} level={belt_level} size={32} decorative />
      {rankName(next, belt_level)}
    </span>
  )

function State({ student }: Pick<StudentProps, 'student'>) {
  const { missing, next, readiness, instructor_decides } = student
  if (readiness === 'promoted') return <span>Promoted today</span>
  if (readiness === 'outgrown') return <span>Choose the next ladder on their page</span>
  if (!next) return <span>Top rank</span>
  if (instructor_decides) return <span>No requirements</span>
  if (readiness === 'ready') return <Badge tone="green">Ready</Badge>
  return <span>{missing.length === 0 ? 'All requirements met' : missingText(missing)}</span>
}

const Choose = ({ student: { student_id, name, next }, selectedIds, onSelect }: StudentProps) => (
  <Checkbox
    size="md"
    aria-label={`Select ${name}`}
    className={rows.choose}
    disabled={!next}
    checked={selectedIds.has(student_id)}
    onChange={(event) => onSelect([student_id], event.currentTarget.checked)}
  />
)

const mayGetStripe = ({ rank, max_stripes }: ReadyStudent, isForecast: boolean) =>
  !isForecast && rank.stripes < max_stripes
const mayBeApproved = (student: ReadyStudent) => student.next !== null && asksApproval(student)

function Acts({ student, acts, isForecast }: StudentProps) {
  const { name, is_approved } = student
  return (
    <>
      {mayGetStripe(student, isForecast) && (
        <Button variant="default" size="sm" onClick={() => void acts.giveStripe(student)}>
          + Stripe<VisuallyHidden>{` for ${name}`}</VisuallyHidden>
        </Button>
      )}
      {mayBeApproved(student) && (
        <Button
          variant={is_approved ? 'light' : 'default'}
          color={is_approved ? 'green' : 'violet'}
          size="sm"
          aria-pressed={is_approved}
          leftSection={is_approved ? <IconCheck size={16} aria-hidden /> : undefined}
          onClick={() => acts.approve(student)}
        >
          {is_approved ? 'Approved' : 'Approve'}
          <VisuallyHidden>{` ${name}`}</VisuallyHidden>
        </Button>
      )}
    </>
  )
}

import type { Belt as BeltName } from '@tatami/contract/lib/ranks'
import type { StudentPage } from '@tatami/contract/students/students'
import type { ReactNode } from 'react'
import { formatDate, formatInstantDate } from '../lib/dates.ts'
import { capitalize } from '../lib/text.ts'
import { Belt } from '../ui/belt.tsx'
import styles from './belt-history.module.css'
import kit from '../ui/kit.module.css'

type Props = { page: StudentPage }

/** The belt history in a dojo without ladders, where students have one of the seven belt levels. */
export function BeltHistory({ page }: Props) {
  const { student, belt_changes, first_belt_since, joined_on } = page
  const firstBelt = belt_changes.at(-1)?.previous_belt ?? student.belt_level
  return (
    <ol>
      {belt_changes.map(({ id, belt_level, changed_at, changed_by }) => (
        <BeltLine key={id} belt={belt_level}>
          since {formatInstantDate(changed_at)}
          {changed_by && `, by ${changed_by}`}
        </BeltLine>
      ))}
      <BeltLine belt={firstBelt}>
        {belt_changes.length === 0
          ? `no changes since ${formatDate(first_belt_since)}`
          : `when they enrolled, ${formatDate(joined_on)}`}
      </BeltLine>
    </ol>
  )
}

const BeltLine = ({ belt, children }: { belt: string; children: ReactNode }) => (
  <li className={styles.line}>
    <Belt colours={[belt as BeltName]} decorative />
    <span>
      <span className={kit.strong}>{capitalize(belt)} belt</span>{' '}
      <span className={kit.note}>{children}</span>
    </span>
  </li>
)

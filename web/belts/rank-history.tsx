import { Button } from '@mantine/core'
import type { RankRule } from '@tatami/contract/belts/eligibility'
import type { OwnBelts, StudentBelts } from '@tatami/contract/belts/readiness'
import { type ReactNode, useState } from 'react'
import { formatDate } from '../lib/dates.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { RankBelt } from '../ui/rank-belt.tsx'
import { rankName } from '../ui/rank-name.ts'
import styles from './rank-progress.module.css'
import kit from '../ui/kit.module.css'

type InstructorsRow = StudentBelts['styles'][number]['history'][number]
type Row = OwnBelts['styles'][number]['history'][number] & Partial<InstructorsRow>

const KIND_LABELS: Partial<Record<Row['kind'], string>> = {
  start: 'first rank on record',
  stripe: 'a stripe',
  skip: 'skipped a rank',
  conversion: 'moved to another ladder',
  import: 'entered later',
  correction: 'a correction',
}
const RULE_LABELS: Record<RankRule, string> = {
  classes: 'classes',
  months: 'time',
  min_age: 'age',
  max_age: 'age',
  age_unknown: 'date of birth',
  stripes: 'stripes',
  skills: 'skills',
  approval: 'approval',
  fee: 'fee',
}

const describeRules = (waivedRules: readonly RankRule[]): string =>
  [...new Set(waivedRules.map((rule) => RULE_LABELS[rule]))].join(', ')

/** "May 3, 2027, a stripe, by Aiko Tanaka". Students do not see instructors' names, waived rules or
 *  notes. */
const describeRow = ({
  kind,
  given_on,
  examiner,
  given_by,
  waived = [],
  note,
  is_corrected,
}: Row) =>
  joinNonEmpty([
    formatDate(given_on),
    KIND_LABELS[kind],
    examiner ? `examiner ${examiner}` : given_by && `by ${given_by}`,
    waived.length > 0 && `without ${describeRules(waived)}`,
    note,
    is_corrected && 'corrected',
  ])

const INITIAL_ROWS = 5

type Props<HistoryRow extends Row> = {
  /** Newest first. */
  rows: readonly HistoryRow[]
  children?: (row: HistoryRow) => ReactNode
}

export function RankHistory<HistoryRow extends Row>({ rows, children }: Props<HistoryRow>) {
  const [isAllShown, setAllShown] = useState(false)
  return (
    <>
      <ol className={kit.hairlines} aria-label="History">
        {rows.slice(0, isAllShown ? undefined : INITIAL_ROWS).map((row) => {
          const name = rankName(row.rank)
          return (
            <li key={row.id} className={`${kit.row} ${styles.row}`}>
              <RankBelt rank={row.rank} size={36} decorative />
              <div className={`${styles.text} ${styles.labels}`}>
                {row.is_corrected ? <del>{name}</del> : name}
                <p className={kit.note}>{describeRow(row)}</p>
              </div>
              {children && <div className={styles.actions}>{children(row)}</div>}
            </li>
          )
        })}
      </ol>
      {!isAllShown && rows.length > INITIAL_ROWS && (
        <Button variant="default" onClick={() => setAllShown(true)}>
          Show all {rows.length}
        </Button>
      )}
    </>
  )
}

import { Button } from '@mantine/core'
import type { RankRule } from '@tatami/contract/belts/eligibility'
import type { OwnBelts, StudentBelts } from '@tatami/contract/belts/readiness'
import { type ReactNode, useState } from 'react'
import { formatDate } from '../lib/dates.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { RankBelt } from '../ui/rank-belt.tsx'
import { rankName } from '../ui/rank-name.ts'
import styles from './standing.module.css'
import kit from '../ui/kit.module.css'

type InstructorsRow = StudentBelts['styles'][number]['history'][number]
type Row = OwnBelts['styles'][number]['history'][number] & Partial<InstructorsRow>

/** A plain promotion needs no word. */
const KINDS: Partial<Record<Row['kind'], string>> = {
  start: 'first rank on record',
  stripe: 'a stripe',
  skip: 'skipped a rank',
  conversion: 'moved to another ladder',
  import: 'entered later',
  correction: 'a correction',
}
const RULES: Record<RankRule, string> = {
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

/** "classes, time" */
export const waivedWords = (waivedRules: readonly RankRule[]): string =>
  [...new Set(waivedRules.map((rule) => RULES[rule]))].join(', ')

/** "May 3, 2027, a stripe, by Aiko Tanaka". Students do not see who, waived rules and notes. */
const aboutRow = ({ kind, given_on, examiner, given_by, waived = [], note, is_corrected }: Row) =>
  joinNonEmpty([
    formatDate(given_on),
    KINDS[kind],
    examiner ? `examiner ${examiner}` : given_by && `by ${given_by}`,
    waived.length > 0 && `without ${waivedWords(waived)}`,
    note,
    is_corrected && 'corrected',
  ])

const FIRST_ROWS = 5

type Props<R extends Row> = {
  /** Newest first. */
  rows: readonly R[]
  /** The actions of a row. */
  children?: (row: R) => ReactNode
}

/** Corrected rows stay, struck through. */
export function RankHistory<R extends Row>({ rows, children }: Props<R>) {
  const [isAll, setAll] = useState(false)
  return (
    <>
      <ol className={kit.hairlines} aria-label="History">
        {rows.slice(0, isAll ? undefined : FIRST_ROWS).map((row) => {
          const name = rankName(row.rank)
          return (
            <li key={row.id} className={`${kit.row} ${styles.row}`}>
              <RankBelt rank={row.rank} size={36} decorative />
              <div className={`${styles.words} ${styles.what}`}>
                {row.is_corrected ? <del>{name}</del> : name}
                <p className={kit.note}>{aboutRow(row)}</p>
              </div>
              {children && <div className={styles.acts}>{children(row)}</div>}
            </li>
          )
        })}
      </ol>
      {!isAll && rows.length > FIRST_ROWS && (
        <Button variant="default" onClick={() => setAll(true)}>
          Show all {rows.length}
        </Button>
      )}
    </>
  )
}

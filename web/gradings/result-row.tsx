import { RESULTS, type GradingResult } from '@tatami/contract/gradings/gradings'
import { moveFocusWithArrows } from '../lib/arrow-focus.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { rankEdgeStyle } from '../ui/rank-belt.tsx'
import edge from '../ui/row-marks.module.css'
import { describeHeldRank } from './held-rank.tsx'
import { type CandidateRow, suggestStripes, countRemainingStripes } from './test-day-rows.ts'
import styles from './test-day.module.css'
import { recordResult, resultOutbox } from './result-outbox.ts'
import { describeFee, HAS_RANK_LABEL, RESULT_LABELS } from './grading-text.ts'
import kit from '../ui/kit.module.css'

/** Tapping the same result again changes nothing. "Clear" removes it. */
export function ResultRow({ gradingId, row }: { gradingId: string; row: CandidateRow }) {
  const { student_id, name, from_rank, belt_level, result, stripes_given, pendingResult } = row
  const record = (newResult: GradingResult | null, stripes = suggestStripes(row, newResult)) => {
    if (newResult === result && stripes === stripes_given) return
    void recordResult({
      grading_id: gradingId,
      student_id,
      result: newResult,
      stripes_given: stripes,
    })
  }
  return (
    <li
      className={`${edge.edge} ${styles.row}`}
      style={rankEdgeStyle(from_rank, belt_level)}
      data-waiting={pendingResult !== undefined && pendingResult.refusal === undefined}
    >
      <div className={`${kit.spread} ${styles.head}`}>
        <span className={`${kit.row} ${styles.nameAndRank}`}>
          <span className={styles.name}>{name}</span>
          <span className={kit.note}>{describeHeldRank(row)}</span>
        </span>
        {row.has_rank && (
          <span className={kit.strong}>
            {joinNonEmpty([HAS_RANK_LABEL, describeFee(row)], ' · ')}
          </span>
        )}
        {result !== null && !row.has_rank && (
          <button
            type="button"
            className={`${kit.bareButton} ${styles.clear}`}
            aria-label={`Clear the result for ${name}`}
            onClick={() => record(null)}
          >
            Clear
          </button>
        )}
      </div>
      {!row.has_rank && <ResultChoices name={name} result={result} onRecord={record} />}
      {result === 'partial' && !row.has_rank && (
        <StripeChoices row={row} onChoose={(count) => record('partial', count)} />
      )}
      <RefusalNotice row={row} />
    </li>
  )
}

type ChoicesProps = {
  name: string
  result: GradingResult | null
  onRecord: (result: GradingResult) => void
}

const ResultChoices = ({ name, result, onRecord }: ChoicesProps) => (
  <div role="group" aria-label={name} className={styles.choices}>
    {RESULTS.map((value) => (
      <button
        key={value}
        type="button"
        value={value}
        aria-pressed={result === value}
        onClick={() => result === value || onRecord(value)}
        onKeyDown={moveFocusWithArrows}
      >
        {RESULT_LABELS[value]}
      </button>
    ))}
  </div>
)

type StripeProps = { row: CandidateRow; onChoose: (count: number) => void }

function StripeChoices({ row, onChoose }: StripeProps) {
  const remainingStripes = countRemainingStripes(row)
  if (remainingStripes === 0)
    return <span className={kit.note}>This belt already has all its stripes.</span>
  return (
    <div
      role="group"
      aria-label={`Stripes for ${row.name}`}
      className={`${kit.row} ${styles.stripes}`}
    >
      <span>Stripes</span>
      {Array.from({ length: remainingStripes + 1 }, (_, count) => (
        <button
          key={count}
          type="button"
          aria-pressed={row.stripes_given === count}
          onClick={() => onChoose(count)}
        >
          {count}
        </button>
      ))}
    </div>
  )
}

const RefusalNotice = ({ row: { name, pendingResult } }: { row: CandidateRow }) =>
  pendingResult?.refusal !== undefined && (
    <div role="alert" className={`${kit.row} ${styles.refusal}`}>
      Not saved: {pendingResult.refusal}
      <button
        type="button"
        className={`${kit.bareButton} ${styles.clear}`}
        aria-label={`Discard the result for ${name}`}
        onClick={() => void resultOutbox.remove([pendingResult])}
      >
        Discard
      </button>
    </div>
  )

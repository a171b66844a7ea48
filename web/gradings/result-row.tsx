import { RESULTS, type GradingResult } from '@tatami/contract/gradings/gradings'
import { moveFocusWithArrows } from '../lib/arrow-focus.ts'
import { rankEdge } from '../ui/rank-belt.tsx'
import edge from '../ui/row-marks.module.css'
import { heldWords } from './held-rank.tsx'
import { type NightRow, stripesFor, stripesLeft } from './night-rows.ts'
import styles from './night.module.css'
import { noteResult, results } from './results.ts'
import { RESULT_WORDS } from './words.ts'
import kit from '../ui/kit.module.css'

/** A candidate with four buttons. A second tap on the same one changes nothing; only "Clear" takes a result back. */
export function ResultRow({ gradingId, row }: { gradingId: string; row: NightRow }) {
  const { student_id, name, from_rank, belt_level, result, stripes_given, pending } = row
  const freeStripes = stripesLeft(row)
  const note = (newResult: GradingResult | null, stripes = stripesFor(row, newResult)) =>
    (newResult === result && stripes === stripes_given) ||
    void noteResult({
      grading_id: gradingId,
      student_id,
      result: newResult,
      stripes_given: stripes,
    })
  return (
    <li
      className={`${edge.edge} ${styles.row}`}
      style={rankEdge(from_rank, belt_level)}
      data-waiting={pending !== undefined && pending.refusal === undefined}
    >
      <div className={`${kit.spread} ${styles.head}`}>
        <span className={`${kit.row} ${styles.who}`}>
          <span className={styles.name}>{name}</span>
          <span className={kit.note}>{heldWords(row)}</span>
        </span>
        {result !== null && (
          <button
            type="button"
            className={`${kit.bareButton} ${styles.clear}`}
            aria-label={`Clear the result of ${name}`}
            onClick={() => note(null)}
          >
            Clear
          </button>
        )}
      </div>
      <div role="group" aria-label={name} className={styles.choices}>
        {RESULTS.map((resultOption) => (
          <button
            key={resultOption}
            type="button"
            value={resultOption}
            aria-pressed={result === resultOption}
            onClick={() => result === resultOption || note(resultOption)}
            onKeyDown={moveFocusWithArrows}
          >
            {RESULT_WORDS[resultOption]}
          </button>
        ))}
      </div>
      {result === 'partial' && freeStripes > 0 && (
        <div
          role="group"
          aria-label={`Stripes for ${name}`}
          className={`${kit.row} ${styles.stripes}`}
        >
          <span>Stripes</span>
          {Array.from({ length: freeStripes + 1 }, (_, count) => (
            <button
              key={count}
              type="button"
              aria-pressed={stripes_given === count}
              onClick={() => note('partial', count)}
            >
              {count}
            </button>
          ))}
        </div>
      )}
      {result === 'partial' && freeStripes === 0 && (
        <span className={kit.note}>All stripes of this belt are there already.</span>
      )}
      {pending?.refusal !== undefined && (
        <div role="alert" className={`${kit.row} ${styles.refused}`}>
          Not saved: {pending.refusal}
          <button
            type="button"
            className={`${kit.bareButton} ${styles.clear}`}
            aria-label={`Forget the result of ${name}`}
            onClick={() => void results.remove([pending])}
          >
            Forget it
          </button>
        </div>
      )}
    </li>
  )
}

import { type Grading, RESULTS } from '@tatami/contract/gradings/gradings'
import { RankBelt } from '../ui/rank-belt.tsx'
import { describeHeldRank } from './held-rank.tsx'
import styles from './paper-list.module.css'
import { groupByRank, type RankCandidates } from './rank-group.tsx'
import { RESULT_LABELS } from './grading-text.ts'

/** Prints a table for each rank, with boxes to check with a pen. Hidden on the screen. */
export const PaperList = ({ grading: { candidates, examiner } }: { grading: Grading }) => (
  <div className={styles.paper} aria-hidden>
    {groupByRank(candidates.filter(({ answer }) => answer !== 'no')).map((group) => (
      <RankTable key={group.rank.id} group={group} />
    ))}
    <p>Examiner: {examiner}</p>
  </div>
)

const RankTable = ({ group: { rank, level, candidates } }: { group: RankCandidates }) => (
  <table className={styles.table}>
    <caption>
      <RankBelt rank={rank} level={level} size={40} decorative /> {rank.name}
    </caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        {RESULTS.map((result) => (
          <th key={result} scope="col" className={styles.narrow}>
            {RESULT_LABELS[result]}
          </th>
        ))}
        <th scope="col" className={styles.narrow}>
          Stripes
        </th>
        <th scope="col">Note</th>
      </tr>
    </thead>
    <tbody>
      {candidates.map((candidate) => {
        const { student_id, name, result, stripes_given, note } = candidate
        return (
          <tr key={student_id}>
            <th scope="row">
              {name} <small>{describeHeldRank(candidate)}</small>
            </th>
            {RESULTS.map((resultOption) => (
              <td key={resultOption} className={styles.narrow}>
                <span className={styles.box}>{result === resultOption && '✕'}</span>
              </td>
            ))}
            <td className={styles.narrow}>{result === 'partial' ? stripes_given : null}</td>
            <td>{note}</td>
          </tr>
        )
      })}
    </tbody>
  </table>
)

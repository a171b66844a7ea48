import { type Candidate, type Grading, RESULTS } from '@tatami/contract/gradings/gradings'
import { RankBelt } from '../ui/rank-belt.tsx'
import { heldWords } from './held-rank.tsx'
import styles from './paper-list.module.css'
import { groupByRank } from './rank-group.tsx'
import { RESULT_WORDS } from './words.ts'

/** What is printed for a night with a pen: a table for each belt, with boxes. Not shown on a screen. */
export const PaperList = ({ grading: { candidates, examiner } }: { grading: Grading }) => (
  <div className={styles.paper} aria-hidden>
    {groupByRank(candidates.filter(({ answer }) => answer !== 'no')).map((group) => (
      <Table key={group[0]!.to_rank.id} group={group} />
    ))}
    <p>Examiner: {examiner}</p>
  </div>
)

const Table = ({ group }: { group: Candidate[] }) => (
  <table className={styles.table}>
    <caption>
      <RankBelt rank={group[0]!.to_rank} level={group[0]!.belt_level} size={40} decorative />{' '}
      {group[0]!.to_rank.name}
    </caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        {RESULTS.map((result) => (
          <th key={result} scope="col" className={styles.narrow}>
            {RESULT_WORDS[result]}
          </th>
        ))}
        <th scope="col" className={styles.narrow}>
          Stripes
        </th>
        <th scope="col">Note</th>
      </tr>
    </thead>
    <tbody>
      {group.map((candidate) => {
        const { student_id, name, result, stripes_given, note } = candidate
        return (
          <tr key={student_id}>
            <th scope="row">
              {name} <small>{heldWords(candidate)}</small>
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

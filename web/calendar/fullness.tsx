import { describeCounts, type AttendeeCounts } from './dates.ts'
import styles from './fullness.module.css'

type Props = { date: AttendeeCounts }

/** Shows a bar and for example "8 of 10". A class with unlimited places has no bar, only for
 *  example "12 expected". */
export function Fullness({ date }: Props) {
  const { expected, places } = date
  if (expected === null || !places) return <span>{describeCounts(date)}</span>
  const percent = Math.min(100, (expected / places) * 100)
  return (
    <span className={styles.fullness}>
      <span className={styles.bar} data-full={expected >= places} aria-hidden>
        <span style={{ width: `${percent}%` }} />
      </span>
      {describeCounts(date)}
    </span>
  )
}

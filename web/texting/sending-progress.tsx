import type { Counts } from '@tatami/contract/text-history'
import classes from './sending-progress.module.css'
import { leftQueue } from './queue-words.ts'

/** The queue of a sending, running down. Nothing once it is empty. */
export function SendingProgress({ counts, name }: { counts: Counts; name: string }) {
  const { left, all } = leftQueue(counts)
  if (left === all) return null
  const words = `${left} of ${all} texts have left`
  return (
    <div className={classes.progress}>
      <div
        role="progressbar"
        aria-label={`Sending ${name}`}
        aria-valuemin={0}
        aria-valuemax={all}
        aria-valuenow={left}
        aria-valuetext={words}
        className={classes.track}
      >
        <div className={classes.bar} style={{ inlineSize: `${(100 * left) / all}%` }} />
      </div>
      <span>{words}</span>
    </div>
  )
}

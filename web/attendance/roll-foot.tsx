import { Button } from '@mantine/core'
import classes from './roll-foot.module.css'
import type { Roll } from './use-roll.ts'

/** How far one is, said; and what concerns the whole class. */
export function RollFoot({ roll, onClose }: { roll: Roll; onClose: () => void }) {
  const { rows = [], counts, undo, retryFailed } = roll
  const allPresent = () => roll.mark(rows.filter(({ present }) => present !== true).map(({ subject }) => ({ subject, present: true })))
  return (
    <>
      <div className={classes.counts}>
        <p role="status" className={classes.words}>
          {rows.length > 0 ? `${counts.marked} of ${counts.all} marked, ${counts.present} present` : 'Every tap is saved at once.'}
          {counts.failed > 0 && <span className={classes.failed}>{`, ${counts.failed} not saved`}</span>}
        </p>
        {undo && (
          <Button variant="subtle" onClick={undo}>
            Undo
          </Button>
        )}
        {retryFailed && counts.failed > 1 && (
          <Button variant="subtle" color="red" onClick={retryFailed}>
            Try all again
          </Button>
        )}
      </div>
      {rows.length > 0 && (
        <Button variant="default" onClick={allPresent}>
          All present
        </Button>
      )}
      <Button onClick={onClose}>Done</Button>
    </>
  )
}

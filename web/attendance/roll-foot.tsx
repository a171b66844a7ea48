import { Button } from '@mantine/core'
import { DropIn } from './drop-in.tsx'
import classes from './roll-foot.module.css'
import type { Roll } from './use-roll.ts'

/** How far one is, said; what concerns the whole class; and whoever dropped in, within reach of the thumb. */
export function RollFoot({ roll, onClose }: { roll: Roll; onClose: () => void }) {
  const { rows = [], counts, undo, retryFailed } = roll
  const rest = rows.filter(({ present }) => present === null)
  const restPresent = () => roll.mark(rest.map(({ subject }) => ({ subject, present: true })))
  return (
    <>
      {roll.rows && <DropIn others={roll.others} onAdd={roll.addDropIn} />}
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
        <Button variant="default" onClick={restPresent} disabled={rest.length === 0}>
          {counts.marked > 0 ? 'Rest present' : 'All present'}
        </Button>
      )}
      <Button onClick={onClose}>Done</Button>
    </>
  )
}

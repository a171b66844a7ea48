import { batchName } from '@tatami/contract/message-types'
import { Title } from '@mantine/core'
import type { Batch } from '@tatami/contract/text-history'
import { useId } from 'react'
import { showMoment } from '../lib/dates.ts'
import classes from './batch-row.module.css'
import { FateCounts } from './fate-counts.tsx'
import { SendingProgress } from './sending-progress.tsx'

/** One sending; the whole row opens it. */
export function BatchRow({ batch, onOpen, onNear }: { batch: Batch; onOpen: () => void; onNear: () => void }) {
  const time = useId(),
    name = batchName(batch.message_type)
  return (
    <article className={classes.row}>
      <div className={classes.head}>
        <Title order={3}>
          <button
            type="button"
            className={classes.open}
            aria-describedby={time}
            aria-haspopup="dialog"
            onClick={onOpen}
            onPointerEnter={onNear}
            onFocus={onNear}
          >
            {name}
          </button>
        </Title>
        <time id={time} dateTime={batch.created_at} className={classes.time}>
          {showMoment(batch.created_at)}
        </time>
      </div>
      <p className={classes.text}>{batch.text}</p>
      <SendingProgress counts={batch.counts} name={name} />
      <FateCounts counts={batch.counts} />
    </article>
  )
}

import { batchName, LIMIT_REACHED } from '@tatami/contract/message-types'
import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { textingApi } from '@tatami/contract/texting'
import type { Batch } from '@tatami/contract/text-history'
import { useRef, useState } from 'react'
import { showMoment } from '../lib/dates.ts'
import { counted } from '../lib/counted.ts'
import { endpointQuery } from '../lib/query.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import classes from './batch-sheet.module.css'
import { BatchTexts } from './batch-texts.tsx'
import { FateCounts } from './fate-counts.tsx'
import { SendAgain } from './send-again.tsx'
import { SendingProgress } from './sending-progress.tsx'
import { useUsage } from './use-usage.ts'
import { watchMs } from './watch.ts'

/** What became of one sending, student by student. */
export function BatchSheet({ batch: known, onClose }: { batch: Batch; onClose: () => void }) {
  const asked = useQuery({
    ...endpointQuery(textingApi.batch, { params: { id: known.id } }),
    refetchInterval: ({ state }) => watchMs(state.data ? [state.data] : []),
  })
  const { counts, message_type, text, created_at } = asked.data ?? known
  const texts = asked.data?.texts,
    name = batchName(message_type)
  const again = texts?.filter((one) => one.may_send_again).length ?? 0
  const { limit_reached } = useUsage()
  const said = useRef<HTMLParagraphElement>(null)
  const [queued, setQueued] = useState<number | null>(null)
  // The button that was pressed goes away with what it was for.
  const done = (count: number) => {
    setQueued(count)
    said.current?.focus()
  }
  return (
    <Sheet
      opened
      onClose={onClose}
      title={name}
      actions={
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      }
    >
      <Stack gap="md">
        <div>
          <time dateTime={created_at} className={classes.about}>
            {showMoment(created_at)}
          </time>
          <p className={classes.template}>{text}</p>
        </div>
        <SendingProgress counts={counts} name={name} />
        <FateCounts counts={counts} />
        {counts.waiting > 0 && <p className={classes.waiting}>{tomorrowWords(counts.waiting)}</p>}
        {again > 0 && limit_reached && <p className={classes.limit}>{LIMIT_REACHED}</p>}
        {again > 1 && <SendAgain batchId={known.id} onDone={done} variant="filled">{`Send ${again} texts again`}</SendAgain>}
        <p role="status" tabIndex={-1} ref={said} className={classes.said}>
          {queued !== null && queuedWords(queued)}
        </p>
        {!texts && !asked.isError && <Skeletons count={4} height={56} label="Loading the students..." />}
        {asked.isError && !asked.isFetching && (
          <ErrorNotice onRetry={() => void asked.refetch()}>The status of the texts could not be loaded.</ErrorNotice>
        )}
        {texts && <BatchTexts batchId={known.id} texts={texts} onDone={done} />}
      </Stack>
    </Sheet>
  )
}

const tomorrowWords = (count: number) =>
  `Today’s texts are used up. ${counted(count, 'text')} will go out by ${count === 1 ? 'itself' : 'themselves'} after midnight UTC.`
const queuedWords = (count: number) =>
  count === 0 ? 'Nothing was sent again. Each line says why.' : `${counted(count, 'text')} ${count === 1 ? 'is' : 'are'} on the way again.`

import { Button, Title } from '@mantine/core'
import { textingApi } from '@tatami/contract/texting/texting'
import type { Batch } from '@tatami/contract/texting/text-history'
import { useEffect, useId, useRef, useState } from 'react'
import { batchName } from '@tatami/contract/texting/message-types'
import { formatDateTime } from '../lib/dates.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { usePagedQuery } from '../lib/use-paged-query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { FramedList } from '../ui/framed-list.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { StatusCounts, SendingProgress } from '../texting/delivery-progress.tsx'
import styles from './message-center.module.css'
import { Section } from './section.tsx'
import { choosePollInterval, announceQueueProgress } from '../texting/text-status.ts'
import kit from '../ui/kit.module.css'

const BatchSheet = lazyComponent(() => import('./batch-sheet.tsx'), 'BatchSheet')

const BATCHES_PER_PAGE = 10

export function SentMessages() {
  const pages = usePagedQuery(textingApi.batches, {
    limit: BATCHES_PER_PAGE,
    pollMs: choosePollInterval,
  })
  const batches = pages.rows
  const { listRef, visibleRows: visibleBatches, isCollapsed, showAll } = useCollapsedList(batches)
  const [openBatch, setOpenBatch] = useState<Batch | null>(null)
  const queueProgressText = useQueueAnnouncement(batches)
  return (
    <Section title="Sent messages">
      <VisuallyHidden role="status">{queueProgressText}</VisuallyHidden>
      {!batches && !pages.isError && (
        <Skeletons count={3} height={104} label="Loading sent messages..." />
      )}
      {batches?.length === 0 && (
        <EmptyState>
          No messages sent yet. They’ll appear here with the status of each text.
        </EmptyState>
      )}
      {visibleBatches && visibleBatches.length > 0 && (
        <FramedList ref={listRef}>
          {visibleBatches.map((batch) => (
            <li key={batch.id}>
              <BatchRow batch={batch} onOpen={() => setOpenBatch(batch)} />
            </li>
          ))}
        </FramedList>
      )}
      <MoreRows query={pages} error="The sent messages could not be loaded.">
        {isCollapsed && (
          <Button variant="default" onClick={showAll}>
            Show all sent messages
          </Button>
        )}
      </MoreRows>
      {openBatch && (
        <BatchSheet
          batch={batches?.find(({ id }) => id === openBatch.id) ?? openBatch}
          onClose={() => setOpenBatch(null)}
        />
      )}
    </Section>
  )
}

function BatchRow({ batch, onOpen }: { batch: Batch; onOpen: () => void }) {
  const timeId = useId()
  const name = batchName(batch.message_type)
  return (
    <article className={`${styles.buttonRow} ${styles.batchRow}`}>
      <div className={kit.spread}>
        <Title order={3}>
          <button
            type="button"
            className={`${kit.bareButton} ${styles.rowButton}`}
            aria-describedby={timeId}
            aria-haspopup="dialog"
            onClick={onOpen}
            {...BatchSheet.preloadOnHover}
          >
            {name}
          </button>
        </Title>
        <time id={timeId} dateTime={batch.created_at} className={kit.note}>
          {formatDateTime(batch.created_at)}
        </time>
      </div>
      <p className={styles.batchText}>{batch.text}</p>
      <SendingProgress counts={batch.counts} name={name} />
      <StatusCounts counts={batch.counts} />
    </article>
  )
}

function useQueueAnnouncement(batches: readonly Batch[] = []): string {
  const [followedId, setFollowedId] = useState<string | null>(null)
  const sendingBatch = batches.find(({ counts }) => counts.queued > 0)
  if (sendingBatch && sendingBatch.id !== followedId) setFollowedId(sendingBatch.id)
  const batch = sendingBatch ?? batches.find(({ id }) => id === followedId)
  return batch ? announceQueueProgress(batchName(batch.message_type), batch.counts) : ''
}

const COLLAPSED_ROWS = { mobile: 3, desktop: 5 }

function useCollapsedList(rows: readonly Batch[] | undefined) {
  const collapsedCount = COLLAPSED_ROWS[useLayout()]
  const listRef = useRef<HTMLUListElement>(null)
  const [isExpanded, setExpanded] = useState(false)
  useEffect(() => {
    if (isExpanded)
      listRef.current?.children[collapsedCount]?.querySelector<HTMLElement>('button, a')?.focus()
  }, [isExpanded, collapsedCount])
  const isCollapsed = !isExpanded && rows !== undefined && rows.length > collapsedCount
  return {
    listRef,
    visibleRows: isCollapsed ? rows.slice(0, collapsedCount) : rows,
    isCollapsed,
    showAll: () => setExpanded(true),
  }
}

import { Button, VisuallyHidden } from '@mantine/core'
import type { Batch } from '@tatami/contract/text-history'
import { useState } from 'react'
import { BusyButton } from '../ui/busy-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { BatchRow } from './batch-row.tsx'
import { Rows, Section } from './section.tsx'
import { useBatches } from './use-batches.ts'
import { useCompact } from './use-compact.ts'
import { useQueueWords } from './use-queue-words.ts'

const BatchSheet = lazyPart(() => import('./batch-sheet.tsx').then((part) => part.BatchSheet))

/** What went out, and what became of it. */
export function SentMessages() {
  const sent = useBatches()
  const { batches } = sent
  const { list, shown, isCut, showAll } = useCompact(batches)
  const [opened, open] = useState<Batch | null>(null)
  const words = useQueueWords(batches)
  const retry = () => void (batches ? sent.fetchNextPage() : sent.refetch())
  return (
    <Section title="Sent messages">
      <VisuallyHidden role="status">{words}</VisuallyHidden>
      {!batches && !sent.isError && <Skeletons count={3} height={104} label="Loading sent messages..." />}
      {batches?.length === 0 && <EmptyState>Nothing has been sent yet. What you send stands here, with what became of it.</EmptyState>}
      {shown && shown.length > 0 && (
        <Rows list={list}>
          {shown.map((batch) => (
            <li key={batch.id}>
              <BatchRow batch={batch} onOpen={() => open(batch)} onNear={BatchSheet.preload} />
            </li>
          ))}
        </Rows>
      )}
      {sent.isError && !sent.isFetching && <ErrorNotice onRetry={retry}>The sent messages could not be loaded.</ErrorNotice>}
      {isCut && (
        <Button variant="default" onClick={showAll}>
          Show all sent messages
        </Button>
      )}
      {!isCut && sent.hasNextPage && (
        <BusyButton variant="default" busy={sent.isFetchingNextPage} busyLabel="Loading..." onClick={() => void sent.fetchNextPage()}>
          Show more
        </BusyButton>
      )}
      {opened && <BatchSheet batch={batches?.find(({ id }) => id === opened.id) ?? opened} onClose={() => open(null)} />}
    </Section>
  )
}

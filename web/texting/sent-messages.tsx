import { Button, VisuallyHidden } from '@mantine/core'
import { textingApi } from '@tatami/contract/texting'
import type { Batch } from '@tatami/contract/text-history'
import { useState } from 'react'
import { usePages } from '../lib/pages.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { BatchRow } from './batch-row.tsx'
import { Rows, Section } from './section.tsx'
import { useCompact } from './use-compact.ts'
import { useQueueWords } from './use-queue-words.ts'
import { watchMs } from './watch.ts'

const BatchSheet = lazyPart(() => import('./batch-sheet.tsx').then((part) => part.BatchSheet))

const ROWS = 10

/** What went out, and what became of it. */
export function SentMessages() {
  const sent = usePages(textingApi.batches, { limit: ROWS, pollMs: watchMs })
  const batches = sent.rows
  const { list, shown, isCut, showAll } = useCompact(batches)
  const [opened, open] = useState<Batch | null>(null)
  const words = useQueueWords(batches)
  return (
    <Section title="Sent messages">
      <VisuallyHidden role="status">{words}</VisuallyHidden>
      {!batches && !sent.isError && <Skeletons count={3} height={104} label="Loading sent messages..." />}
      {batches?.length === 0 && (
        <EmptyState>Nothing has been sent yet. What you send appears here, with the status of each text.</EmptyState>
      )}
      {shown && shown.length > 0 && (
        <Rows list={list}>
          {shown.map((batch) => (
            <li key={batch.id}>
              <BatchRow batch={batch} onOpen={() => open(batch)} onNear={BatchSheet.preload} />
            </li>
          ))}
        </Rows>
      )}
      <MoreRows of={sent} failed="The sent messages could not be loaded.">
        {isCut && (
          <Button variant="default" onClick={showAll}>
            Show all sent messages
          </Button>
        )}
      </MoreRows>
      {opened && <BatchSheet batch={batches?.find(({ id }) => id === opened.id) ?? opened} onClose={() => open(null)} />}
    </Section>
  )
}

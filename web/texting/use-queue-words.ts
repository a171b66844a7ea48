import { batchName } from '@tatami/contract/message-types'
import type { Batch } from '@tatami/contract/text-history'
import { useState } from 'react'
import { queueWords } from './queue-words.ts'

/** What is read out of the newest queue that runs down, to its end; nothing when nobody waited for one. */
export function useQueueWords(batches: readonly Batch[] = []): string {
  const [followed, follow] = useState<string | null>(null)
  const sending = batches.find(({ counts }) => counts.queued > 0)
  if (sending && sending.id !== followed) follow(sending.id)
  const batch = sending ?? batches.find(({ id }) => id === followed)
  return batch ? queueWords(batchName(batch.message_type), batch.counts) : ''
}

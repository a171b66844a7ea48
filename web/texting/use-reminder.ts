import type { Reminder } from '@tatami/contract/message-types'
import { textingApi } from '@tatami/contract/texting'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { explain, gotNoAnswer } from '../lib/api.ts'
import { newKey } from '../lib/idempotency-keys.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { failed, succeeded } from './result-words.ts'
import { type Result, useResult } from './use-result.ts'
import { REMINDER_WORDS } from './reminder-words.ts'

type Order = { idempotencyKey: string; query: { unless_sent?: 'true' } }
/** Orders, kept until they are answered: given again as they were, so that nobody gets it twice. */
const unanswered = new Map<Reminder, Order>()

/** Who would get a reminder, and sending it: where it was said not to have gone out for its month, only if it still has not. */
export function useReminder(reminder: Reminder, onSent: (result: Result) => void) {
  const { name, send } = REMINDER_WORDS[reminder]
  const cache = useQueryClient()
  const previewQuery = endpointQuery(textingApi.previewReminder, { params: { reminder } })
  const preview = useQuery({ ...previewQuery, staleTime: 0 })
  const { result, show } = useResult()
  const { mutate, isPending } = useEndpointMutation(send, {
    refreshes: [textingApi.usage, textingApi.batches, textingApi.reminderSettings],
    onSuccess: ({ total_recipients }) => onSent(succeeded(name.toUpperCase(), total_recipients)),
    onError: (error) => show(failed(name.toUpperCase(), explain(error, 'Failed to send automated reminder'))),
    onSettled: (_, error) => {
      if (!gotNoAnswer(error)) unanswered.delete(reminder)
      return cache.invalidateQueries(previewQuery)
    },
  })
  const newOrder = (): Order => ({ idempotencyKey: newKey(), query: preview.data?.has_gone_out === false ? { unless_sent: 'true' } : {} })
  return {
    preview,
    isPending,
    result,
    inDoubt: !isPending && unanswered.has(reminder),
    send: () => {
      show(null)
      const order = unanswered.get(reminder) ?? newOrder()
      unanswered.set(reminder, order)
      mutate(order)
    },
  }
}

import { announcementsApi } from '@tatami/contract/announcements'
import type { Reminder } from '@tatami/contract/message-words'
import { messagesApi } from '@tatami/contract/messages'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { explain } from '../kernel/api.ts'
import { endpointQuery, useEndpointMutation } from '../kernel/query.ts'
import { failed, succeeded } from '../messages/result-words.ts'
import { type Result, useResult } from '../messages/use-result.ts'
import { REMINDER_WORDS } from './reminder-words.ts'

/** Who would get a reminder, and sending it. */
export function useReminder(reminder: Reminder, onSent: (result: Result) => void) {
  const { name, send } = REMINDER_WORDS[reminder]
  const cache = useQueryClient()
  const previewQuery = endpointQuery(announcementsApi.previewReminder, { params: { reminder } })
  const preview = useQuery({ ...previewQuery, staleTime: 0 })
  const { result, show } = useResult()
  const { mutate, isPending } = useEndpointMutation(send, {
    refreshes: [messagesApi.usage, messagesApi.batches, messagesApi.reminderSettings],
    onSuccess: ({ total_recipients }) => onSent(succeeded(name.toUpperCase(), total_recipients)),
    onError: (error) => show(failed(name.toUpperCase(), explain(error, 'Failed to send automated reminder'))),
    // Without an answer it may have gone out all the same.
    onSettled: () => cache.invalidateQueries(previewQuery),
  })
  return {
    preview,
    isPending,
    result,
    send: () => {
      show(null)
      mutate()
    },
  }
}

import { announcementsApi } from '@tatami/contract/announcements'
import { textingApi } from '@tatami/contract/texting'
import type { MessageType } from '@tatami/contract/message-types'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, explain, gotNoAnswer } from '../lib/api.ts'
import { newKey } from '../lib/idempotency-keys.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { succeeded } from './result-words.ts'
import { type Result, useResult } from './use-result.ts'
import { SENDINGS, type Message } from './sendings.ts'

/** The keys of tries that were never answered: a dialog that is closed and opened again goes on with its own. */
const unanswered = new Map<MessageType, string>()

/** What an unanswered try leaves behind: it may have gone out; or it has, in words that were changed since. */
export type Doubt = 'unanswered' | 'sent-before'

const isKeyUsed = (error: Error) => error instanceof ApiError && error.status === 409

/** Sends once, however often it is pressed: every try carries one key, until it is known what became of it. */
export function useSending(type: MessageType, onSent: (result: Result) => void) {
  const cache = useQueryClient()
  const [key, setKey] = useState(() => unanswered.get(type) ?? newKey())
  const [doubt, setDoubt] = useState<Doubt | null>(unanswered.has(type) ? 'unanswered' : null)
  const { result, show } = useResult()
  const { mutate, isPending } = useEndpointMutation(textingApi.sendBulk, {
    refreshes: [textingApi.usage, textingApi.batches, announcementsApi.list],
    onSuccess: ({ success_count, successful_sends }) => {
      unanswered.delete(type)
      onSent(succeeded(SENDINGS[type].type, success_count ?? successful_sends))
    },
    onError: (error) => {
      if (gotNoAnswer(error)) unanswered.set(type, key)
      else unanswered.delete(type)
      const isSent = isKeyUsed(error)
      if (isSent) setKey(newKey())
      setDoubt((before) => (isSent ? 'sent-before' : gotNoAnswer(error) ? 'unanswered' : before))
      if (!isSent) show({ ok: false, title: SENDINGS[type].failed, text: explain(error, 'What you wrote is kept.') })
      // Somebody else may have used up the day, or an unanswered try may have gone out.
      void cache.invalidateQueries({ queryKey: endpointQuery(textingApi.usage).queryKey })
      void cache.invalidateQueries({ queryKey: endpointQuery(textingApi.batches).queryKey })
    },
  })
  const send = (body: Message, onRefused: (error: Error) => void) => {
    show(null)
    mutate({ body, idempotencyKey: key }, { onError: onRefused })
  }
  return { send, isPending, result, doubt }
}

import { messagesApi } from '@tatami/contract/messages'
import { POLL_MS } from '@tatami/contract/notifications'
import { useEffect, useState } from 'react'
import { useEndpointMutation } from '../kernel/query.ts'

/** Long enough to have been looked at, and for others to be told of in the same call. */
const LOOKED_MS = 1000

/** Marks as read what was on the screen, once. What the server did not hear is told again after a while. */
export function useSeen(): (id: string) => void {
  const [seen, setSeen] = useState<readonly string[]>([])
  const [told, setTold] = useState<readonly string[]>([])
  const { mutate, isPending, isError } = useEndpointMutation(messagesApi.readInbox, {
    refreshes: [messagesApi.inboxUnread],
    onSuccess: (_, { body: { message_ids } }) => setTold((ids) => [...ids, ...message_ids]),
  })
  useEffect(() => {
    const message_ids = seen.filter((id) => !told.includes(id))
    const isDue = message_ids.length > 0 && !isPending
    const timer = isDue ? setTimeout(() => mutate({ body: { message_ids } }), isError ? POLL_MS : LOOKED_MS) : undefined
    return () => clearTimeout(timer)
  }, [seen, told, isPending, isError, mutate])
  return (id) => setSeen((ids) => (ids.includes(id) ? ids : [...ids, id]))
}

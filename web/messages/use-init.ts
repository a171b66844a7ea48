import { SERVICE_FAILURES } from '@tatami/contract/message-words'
import { messagesApi } from '@tatami/contract/messages'
import { useEffect, useRef } from 'react'
import { explain, gotNoAnswer } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'

const DELAY_MS = 2000

/** Asks the server to check the text service for real, and then what it found. */
export function useInit() {
  const { mutate, isPending, error, data } = useEndpointMutation(messagesApi.init, {
    refreshes: [messagesApi.status, messagesApi.info, messagesApi.qr],
  })
  const refused = data && !data.success ? SERVICE_FAILURES[data.error_type ?? 'initialization'] : null
  const failure = error ? explain(error, SERVICE_FAILURES[gotNoAnswer(error) ? 'network' : 'initialization']) : refused
  return { init: mutate, isPending, failure }
}

/** Initialises once by itself when it is due, two seconds later (specification, section 4). */
export function useInitBySelf(isDue: boolean, init: () => void) {
  const isDone = useRef(false)
  useEffect(() => {
    if (!isDue || isDone.current) return undefined
    const later = setTimeout(() => {
      isDone.current = true
      init()
    }, DELAY_MS)
    return () => clearTimeout(later)
  }, [isDue, init])
}

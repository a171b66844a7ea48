import { useQuery } from '@tanstack/react-query'
import { notificationsApi } from '@tatami/contract/notifications'
import { useState } from 'react'
import { explain } from '../lib/api.ts'
import { isPermitted, pushSupport, subscribeBrowser, unsubscribeBrowser } from '../lib/push.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'

const done = (act: Promise<unknown>, ours: string) =>
  act.then(
    () => null,
    (error: unknown) => explain(error, ours),
  )
const REFRESHES = { refreshes: [notificationsApi.push] }

/** Whether this browser shows notices while Tatami is closed, and the two acts that change it. The permission is asked for by the
 *  person's press and at no other time. `trouble` says what went wrong last. */
export function usePush(accountId: string) {
  const [support, setSupport] = useState(pushSupport)
  const [trouble, setTrouble] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const known = useQuery({ ...endpointQuery(notificationsApi.push), enabled: support === 'ready' })
  const subscribe = useEndpointMutation(notificationsApi.subscribe, REFRESHES)
  const unsubscribe = useEndpointMutation(notificationsApi.unsubscribe, REFRESHES)
  const publicKey = known.data?.public_key

  /** Each act answers what went wrong, null when nothing did. */
  async function subscribeHere() {
    const permission = await Notification.requestPermission()
    setSupport(pushSupport())
    if (permission === 'denied') return null
    if (permission === 'default') return 'You did not answer your browser’s question. Press again to see it.'
    const body = await subscribeBrowser(publicKey ?? '', accountId).catch(() => null)
    if (!body) return 'The browser could not reach its push service. Please try again later.'
    return done(subscribe.mutateAsync({ body }), 'Push notifications could not be turned on.')
  }
  async function unsubscribeHere() {
    const words = await done(unsubscribe.mutateAsync(), 'Push notifications could not be turned off.')
    if (words === null) await unsubscribeBrowser().catch(() => {})
    return words
  }
  const doing = (act: () => Promise<string | null>) => async () => {
    if (busy) return
    setBusy(true)
    setTrouble(null)
    setTrouble(await act())
    setBusy(false)
  }
  return {
    support,
    trouble,
    busy,
    isOn: known.data?.subscribed === true && isPermitted(),
    isKnown: publicKey !== undefined,
    isLost: known.isError && !known.isFetching,
    retry: () => void known.refetch(),
    turnOn: doing(subscribeHere),
    turnOff: doing(unsubscribeHere),
  }
}

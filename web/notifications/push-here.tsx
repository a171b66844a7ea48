import { useQuery } from '@tanstack/react-query'
import { notificationsApi } from '@tatami/contract/notifications'
import { useState } from 'react'
import { explain } from '../lib/api.ts'
import { type PushSupport, isPermitted, pushSupport, subscribeBrowser, unsubscribeBrowser } from '../lib/push.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import styles from './push-here.module.css'

const WHY_NOT: Record<Exclude<PushSupport, 'ready'>, string> = {
  denied: 'This browser blocks notifications from Tatami. Allow them in its settings for this site, then open this page again.',
  insecure: 'Browsers allow them only where the address begins with https. Ask whoever runs Tatami for you.',
  'home-screen': 'On an iPhone or iPad they come once Tatami is on the Home Screen. Tap Share, Add to Home Screen, and open it there.',
  unsupported: 'This browser cannot show them while Tatami is closed. Another one may.',
  native: 'The app does not receive them yet. Browsers do, and the bell has every one of them.',
}

/** What this very browser does while Tatami is closed, and the button that changes it; or in plain words why it cannot. */
export function PushHere({ accountId }: { accountId: string }) {
  const push = usePush(accountId)
  if (push.support !== 'ready') return <p className={styles.why}>{WHY_NOT[push.support]}</p>
  if (push.isLost) return <ErrorNotice onRetry={push.retry}>Could not check whether push is on here.</ErrorNotice>
  return (
    <div className={styles.here}>
      <p role="status">{push.isOn ? 'Push is on in this browser.' : 'Push is off in this browser.'}</p>
      <BusyButton
        variant="default"
        busy={push.busy}
        busyLabel={push.isOn ? 'Turning off...' : 'Turning on...'}
        disabled={!push.isKnown}
        onClick={() => void (push.isOn ? push.turnOff() : push.turnOn())}
      >
        {push.isOn ? 'Turn off here' : 'Turn on here'}
      </BusyButton>
      <ErrorNotice>{push.trouble}</ErrorNotice>
    </div>
  )
}

const done = (act: Promise<unknown>, ours: string) =>
  act.then(
    () => null,
    (error: unknown) => explain(error, ours),
  )
const REFRESHES = { refreshes: [notificationsApi.push] }

/** Whether this browser shows notices while Tatami is closed, and the two acts that change it. The permission is asked for by the
 *  person's press and at no other time. `trouble` says what went wrong last. */
function usePush(accountId: string) {
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

import { useQuery } from '@tanstack/react-query'
import { notificationsApi } from '@tatami/contract/notifications/notifications'
import { useState } from 'react'
import { errorMessage } from '../lib/api.ts'
import {
  type PushSupport,
  hasPushPermission,
  pushSupport,
  subscribeBrowser,
  unsubscribeBrowser,
} from '../lib/push.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import styles from './browser-push-setting.module.css'
import kit from '../ui/kit.module.css'

const UNAVAILABLE_TEXTS: Record<Exclude<PushSupport, 'ready'>, string> = {
  denied:
    'This browser blocks notifications. Allow them in its site settings, then reopen this page.',
  insecure: 'Push needs an https address. Ask the person who runs Tatami for you.',
  'home-screen':
    'On an iPhone or iPad, tap Share, then Add to Home Screen, and open Tatami from there.',
  unsupported: 'This browser can’t show notifications while Tatami is closed. Try another browser.',
  native: 'The app doesn’t get push notifications yet. Browsers do, and the bell shows them all.',
}

export function BrowserPushSetting({ accountId }: { accountId: string }) {
  const push = usePush(accountId)
  if (push.support !== 'ready')
    return <p className={`${kit.note} ${styles.explanation}`}>{UNAVAILABLE_TEXTS[push.support]}</p>
  if (push.hasFailed)
    return <ErrorNotice onRetry={push.retry}>We couldn’t check whether push is on.</ErrorNotice>
  return (
    <div className={`${kit.spread} ${styles.state}`}>
      <p role="status" className={kit.note}>
        {push.isOn ? 'Push is on in this browser.' : 'Push is off in this browser.'}
      </p>
      <BusyButton
        variant="default"
        busy={push.busy}
        busyLabel={push.isOn ? 'Turning off...' : 'Turning on...'}
        disabled={!push.isLoaded}
        onClick={() => void (push.isOn ? push.turnOff() : push.turnOn())}
      >
        {push.isOn ? 'Turn off here' : 'Turn on here'}
      </BusyButton>
      <ErrorNotice>{push.failure}</ErrorNotice>
    </div>
  )
}

/** Resolves to null if the request succeeds. */
const resolveToErrorMessage = (request: Promise<unknown>, fallback: string) =>
  request.then(
    () => null,
    (error: unknown) => errorMessage(error, fallback),
  )
const REFRESH_PUSH_STATE = { refreshes: [notificationsApi.push] }

function usePush(accountId: string) {
  const [support, setSupport] = useState(pushSupport)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const pushState = useQuery({
    ...endpointQuery(notificationsApi.push),
    enabled: support === 'ready',
  })
  const subscribe = useEndpointMutation(notificationsApi.subscribe, REFRESH_PUSH_STATE)
  const unsubscribe = useEndpointMutation(notificationsApi.unsubscribe, REFRESH_PUSH_STATE)
  const publicKey = pushState.data?.public_key
  async function subscribeHere() {
    const permission = await Notification.requestPermission()
    setSupport(pushSupport())
    if (permission === 'denied') return null
    if (permission === 'default')
      return 'Your browser asked for permission and got no answer. Press the button to be asked again.'
    const body = await subscribeBrowser(publicKey ?? '', accountId).catch(() => null)
    if (!body) return 'The browser could not reach its push service. Please try again later.'
    return resolveToErrorMessage(
      subscribe.mutateAsync({ body }),
      'Push notifications couldn’t be turned on.',
    )
  }
  async function unsubscribeHere() {
    const message = await resolveToErrorMessage(
      unsubscribe.mutateAsync(),
      'Push notifications couldn’t be turned off.',
    )
    if (message === null) await unsubscribeBrowser().catch(() => {})
    return message
  }
  const createAction = (action: () => Promise<string | null>) => async () => {
    if (busy) return
    setBusy(true)
    setFailure(null)
    setFailure(await action())
    setBusy(false)
  }
  return {
    support,
    failure,
    busy,
    isOn: pushState.data?.subscribed === true && hasPushPermission(),
    isLoaded: publicKey !== undefined,
    hasFailed: pushState.isError && !pushState.isFetching,
    retry: () => void pushState.refetch(),
    turnOn: createAction(subscribeHere),
    turnOff: createAction(unsubscribeHere),
  }
}

import { useEffect, useEffectEvent } from 'react'
import { errorMessage, isNetworkError } from '../lib/api.ts'
import { startRetrying } from '../lib/retry.ts'
import { LogoutButton } from './logout-button.tsx'
import { PlainPage } from './plain-page.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'

type Props = { error: Error; isTrying: boolean; retry: () => Promise<unknown> }

/** It is not known who is signed in. The page says why, and goes on by itself as soon as it is known. */
export function NotReached({ error, isTrying, retry }: Props) {
  const attempt = useEffectEvent(retry)
  useEffect(() => startRetrying(() => attempt()), [])
  const [title, words] = isNetworkError(error)
    ? ['Tatami cannot be reached', 'The server did not answer.']
    : ['Tatami has a problem', `The server answered: ${errorMessage(error, error.message)}`]
  return (
    <PlainPage title={title}>
      <p>You have not been logged out. This page goes on by itself as soon as it can.</p>
      <ErrorNotice onRetry={() => isTrying || void retry()}>{words}</ErrorNotice>
      <LogoutButton variant="subtle" />
    </PlainPage>
  )
}

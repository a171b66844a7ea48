import { Title, Button } from '@mantine/core'
import { Component, type ReactNode, useEffect, useEffectEvent } from 'react'
import { errorMessage, isNetworkError } from '../lib/api.ts'
import { startRetrying } from '../lib/retry.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { PageFrame } from '../ui/page-frame.tsx'
import { LogoutButton } from './account.tsx'
import styles from './error-pages.module.css'

export const PlainPage = ({ title, children }: { title: string; children: ReactNode }) => (
  <PageFrame title={title} classNames={styles}>
    <Title order={1}>{title}</Title>
    {children}
  </PageFrame>
)

export const NotFound = () => (
  <PlainPage title="Page not found">
    <p>The address may be wrong, or the page may have moved.</p>
    <Button component="a" href="/">
      Go home
    </Button>
  </PlainPage>
)

/** Shown instead of the landing page and the login page while the server is unreachable (sw.js). */
export const NoNetwork = () => (
  <PlainPage title="Can’t reach Tatami">
    <p>You are offline. Logging in needs a connection.</p>
    <Button onClick={() => location.reload()}>Try again</Button>
  </PlainPage>
)

export class AppBoundary extends Component<{ children: ReactNode }> {
  override state = { hasFailed: false }
  static getDerivedStateFromError = () => ({ hasFailed: true })
  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <PlainPage title="This page stopped working">
        <p>Everything you saved is safe. Please reload the page.</p>
        <Button onClick={() => location.reload()}>Reload</Button>
      </PlainPage>
    )
  }
}

type Props = { error: Error; isRetrying: boolean; retry: () => Promise<unknown> }

export function ServerUnreachable({ error, isRetrying, retry }: Props) {
  const retryNow = useEffectEvent(retry)
  useEffect(() => startRetrying(() => retryNow()), [])
  const isOffline = isNetworkError(error)
  const title = isOffline ? 'Can’t reach Tatami' : 'Tatami has a problem'
  const message = isOffline
    ? 'The server didn’t answer.'
    : `The server answered: ${errorMessage(error, error.message)}`
  return (
    <PlainPage title={title}>
      <p>You are still logged in. This page will load as soon as the server responds.</p>
      <ErrorNotice onRetry={() => isRetrying || void retry()}>{message}</ErrorNotice>
      <LogoutButton variant="subtle" />
    </PlainPage>
  )
}

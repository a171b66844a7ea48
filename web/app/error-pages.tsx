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
    <p>The address may be mistyped, or the page may have moved.</p>
    <Button component="a" href="/">
      Go home
    </Button>
  </PlainPage>
)

/** Replaces the landing page and the login page while the server is unreachable (public/sw.js). */
export const NoNetwork = () => (
  <PlainPage title="Tatami cannot be reached">
    <p>There is no network here, and signing in needs one.</p>
    <Button onClick={() => location.reload()}>Try again</Button>
  </PlainPage>
)

/** React leaves an empty page after an error that no boundary caught. */
export class AppBoundary extends Component<{ children: ReactNode }> {
  override state = { hasFailed: false }
  static getDerivedStateFromError = () => ({ hasFailed: true })
  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <PlainPage title="This page stopped working">
        <p>What was saved is safe. Please load the page again.</p>
        <Button onClick={() => location.reload()}>Load again</Button>
      </PlainPage>
    )
  }
}

type Props = { error: Error; isTrying: boolean; retry: () => Promise<unknown> }

/** Shown while the profile cannot be loaded. Retries by itself. */
export function ServerUnreachable({ error, isTrying, retry }: Props) {
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

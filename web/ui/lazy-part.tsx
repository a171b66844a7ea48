import { Component, createElement, Suspense, use, type ComponentType, type ReactNode } from 'react'
import { ErrorNotice } from './error-notice.tsx'

const PATIENCE_MS = 120_000

class NotLoaded extends Error {}

/** The part, or NotLoaded when it does not come within two minutes. */
const inTime = <T,>(part: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new NotLoaded()), PATIENCE_MS)
    part.then(resolve, () => reject(new NotLoaded())).finally(() => clearTimeout(late))
  })

type BoundaryProps = { children: ReactNode; forget: () => void }
class PartBoundary extends Component<BoundaryProps, { error: unknown; tries: number }> {
  override state = { error: null as unknown, tries: 0 }
  static getDerivedStateFromError = (error: unknown) => ({ error })
  retry = () => {
    // Asked for twice in vain, a part may have another name by now: a newer Tatami was installed.
    if (this.state.tries > 0) location.reload()
    this.props.forget()
    this.setState(({ tries }) => ({ error: null, tries: tries + 1 }))
  }
  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <ErrorNotice onRetry={this.retry}>
        {error instanceof NotLoaded ? 'This part of the page could not be loaded.' : 'This part of the page stopped working.'}
      </ErrorNotice>
    )
  }
}

/**
 * A part of the page that is loaded when it is first shown: `lazyPart(() => import('./x.tsx').then((m) => m.X))`.
 * React holds what it waited for back for up to 300 ms, in which most screens' answers come, too. `atOnce`, a part that is there
 * already is not waited for: for what holds the place of its answers, however many they are.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>, waiting: ReactNode = null, { atOnce = false } = {}) {
  let arriving: Promise<ComponentType<P>> | undefined
  let arrived: ComponentType<P> | undefined
  const preload = () => (arriving ??= inTime(load()).then((part) => (arrived = part)))
  const Arrived = (props: P) => {
    const part = (atOnce && arrived) || use(preload())
    return createElement(part, props)
  }
  const LazyPart = (props: P) => (
    <PartBoundary
      forget={() => {
        arriving = undefined
      }}
    >
      <Suspense fallback={waiting}>
        <Arrived {...props} />
      </Suspense>
    </PartBoundary>
  )
  return Object.assign(LazyPart, {
    preload: () => {
      preload().catch(() => {})
    },
  })
}

import { Component, createElement, Suspense, use, type ComponentType, type ReactNode } from 'react'
import { startRetrying } from '../lib/retry.ts'
import { ErrorNotice } from './error-notice.tsx'

const failed = new Set<HTMLLinkElement>()
addEventListener('error', ({ target }) => target instanceof HTMLLinkElement && target.rel === 'stylesheet' && failed.add(target), true)

/** Asks again for the stylesheets that did not load: the build's loader asks for each once, and would show its part without. */
export const repairStyles = (): Promise<unknown> => Promise.all([...failed].map(replace))

const replace = (old: HTMLLinkElement) =>
  new Promise<void>((resolve, reject) => {
    const link = old.cloneNode() as HTMLLinkElement
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error(`${link.href} could not be loaded`)))
    failed.delete(old)
    old.replaceWith(link)
  })

const PATIENCE_MS = 120_000

class NotLoaded extends Error {
  constructor() {
    super('This part of the page could not be loaded.')
  }
}

/** The part, or NotLoaded when it does not come within two minutes. */
const inTime = <T,>(part: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new NotLoaded()), PATIENCE_MS)
    part.then(resolve, () => reject(new NotLoaded())).finally(() => clearTimeout(late))
  })

type BoundaryProps = { children: ReactNode; forget: () => void; loadAgain: () => Promise<unknown> }
/** Says that a part is not there, and shows it as soon as it is. */
class PartBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state = { error: null as unknown }
  static getDerivedStateFromError = (error: unknown) => ({ error })
  #tries = 0
  #stopRetrying = () => {}
  // A part that failed before the boundary was shown is never an update.
  override componentDidMount() {
    this.componentDidUpdate()
  }
  override componentDidUpdate() {
    this.#stopRetrying()
    if (this.state.error instanceof NotLoaded) this.#stopRetrying = startRetrying(this.loadAgain)
  }
  override componentWillUnmount() {
    this.#stopRetrying()
  }
  loadAgain = async () => {
    this.#tries += 1
    await this.props.loadAgain()
    this.setState({ error: null })
  }
  retry = () => {
    // Asked for again in vain, a part may have another name by now, since a newer Tatami was installed; and some browsers ask once only.
    if (this.#tries > 0) location.reload()
    this.#tries += 1
    this.props.forget()
    this.setState({ error: null })
  }
  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <ErrorNotice onRetry={this.retry}>
        {error instanceof NotLoaded ? error.message : 'This part of the page stopped working.'}
      </ErrorNotice>
    )
  }
}

/**
 * A part of the page that is loaded when it is first shown: `lazyComponent(() => import('./x.tsx').then((m) => m.X))`.
 * React holds what it waited for back for up to 300 ms, in which most screens' answers come, too. `atOnce`, a part that is there
 * already is not waited for: for what holds the place of its answers, however many they are.
 */
export function lazyComponent<P extends object>(load: () => Promise<ComponentType<P>>, waiting: ReactNode = null, { atOnce = false } = {}) {
  let arriving: Promise<ComponentType<P>> | undefined
  let arrived: ComponentType<P> | undefined
  const fetchPart = () => inTime(repairStyles().then(load)).then((part) => (arrived = part))
  const preload = () => (arriving ??= fetchPart())
  const forget = () => {
    arriving = undefined
  }
  const loadAgain = async () => {
    const part = fetchPart()
    await part
    arriving = part
  }
  let isShown = false
  const Arrived = (props: P) => {
    isShown = true
    const part = (atOnce && arrived) || use(preload())
    return createElement(part, props)
  }
  const LazyComponent = (props: P) => (
    <PartBoundary forget={forget} loadAgain={loadAgain}>
      <Suspense fallback={waiting}>
        <Arrived {...props} />
      </Suspense>
    </PartBoundary>
  )
  // What could not be loaded ahead is asked for anew when it is shown.
  return Object.assign(LazyComponent, { preload: () => void preload().catch(() => isShown || forget()) })
}

import { Component, type ComponentType, createElement, type ReactNode, Suspense, use } from 'react'
import { startRetrying } from '../lib/retry.ts'
import { ErrorNotice } from './notices.tsx'

const failedStylesheets = new Set<HTMLLinkElement>()
addEventListener(
  'error',
  ({ target }) =>
    target instanceof HTMLLinkElement &&
    target.rel === 'stylesheet' &&
    failedStylesheets.add(target),
  true,
)

/** Vite loads a stylesheet only once. After a failure, the component would show without styles. */
const reloadFailedStylesheets = (): Promise<unknown> =>
  Promise.all([...failedStylesheets].map(reloadStylesheet))

const reloadStylesheet = (oldLink: HTMLLinkElement) =>
  new Promise<void>((resolve, reject) => {
    const link = oldLink.cloneNode() as HTMLLinkElement
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error(`${link.href} could not be loaded`)))
    failedStylesheets.delete(oldLink)
    oldLink.replaceWith(link)
  })

const LOAD_TIMEOUT_MS = 120_000
/** If a timer is this late, the device has slept. */
const MIN_SLEEP_MS = 10_000

class LoadError extends Error {
  constructor() {
    super('This part of the page could not be loaded.')
  }
}

/** Rejects with LoadError after two minutes, not counting the time that the device slept. */
const withTimeout = <T,>(component: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>
    const startTimer = () => {
      const deadline = Date.now() + LOAD_TIMEOUT_MS
      const onTimer = () => {
        const hasSlept = Date.now() > deadline + MIN_SLEEP_MS
        if (hasSlept) startTimer()
        else reject(new LoadError())
      }
      timer = setTimeout(onTimer, LOAD_TIMEOUT_MS)
    }
    startTimer()
    component.then(resolve, () => reject(new LoadError())).finally(() => clearTimeout(timer))
  })

type BoundaryProps = { children: ReactNode; forget: () => void; reload: () => Promise<unknown> }
class LoadBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null }
  static getDerivedStateFromError = (error: unknown) => ({ error })
  #tries = 0
  #stopRetrying = () => {}
  // A component that failed before the boundary mounted causes no update.
  override componentDidMount() {
    this.componentDidUpdate()
  }
  override componentDidUpdate() {
    this.#stopRetrying()
    if (this.state.error instanceof LoadError) this.#stopRetrying = startRetrying(this.reload)
  }
  override componentWillUnmount() {
    this.#stopRetrying()
  }
  reload = async () => {
    this.#tries += 1
    await this.props.reload()
    this.setState({ error: null })
  }
  retry = () => {
    // A reload helps if a new version renamed the file or the browser never repeats an import.
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
        {error instanceof LoadError ? error.message : 'This part of the page stopped working.'}
      </ErrorNotice>
    )
  }
}

/** React may hold back a suspended component for 300 ms. `showsImmediately` avoids that. */
export function lazyComponentFrom<P extends object>(
  load: () => Promise<ComponentType<P>>,
  fallback: ReactNode = null,
  { showsImmediately = false } = {},
) {
  let componentPromise: Promise<ComponentType<P>> | undefined
  let loadedComponent: ComponentType<P> | undefined
  const fetchComponent = () =>
    withTimeout(reloadFailedStylesheets().then(load)).then(
      (component) => (loadedComponent = component),
    )
  const preload = () => (componentPromise ??= fetchComponent())
  const forget = () => {
    componentPromise = undefined
  }
  const reload = async () => {
    const component = fetchComponent()
    await component
    componentPromise = component
  }
  let hasRendered = false
  const LoadedComponent = (props: P) => {
    hasRendered = true
    const component = (showsImmediately && loadedComponent) || use(preload())
    return createElement(component, props)
  }
  const LazyComponent = (props: P) => (
    <LoadBoundary forget={forget} reload={reload}>
      <Suspense fallback={fallback}>
        <LoadedComponent {...props} />
      </Suspense>
    </LoadBoundary>
  )
  // If a preload fails, the first render tries again. After that, the boundary retries.
  const tryPreload = () => void preload().catch(() => hasRendered || forget())
  return Object.assign(LazyComponent, {
    preload: tryPreload,
    preloadOnHover: { onPointerEnter: tryPreload, onFocus: tryPreload } satisfies PreloadOnHover,
  })
}

export type PreloadOnHover = { onPointerEnter: () => void; onFocus: () => void }

type PropsOf<C> = C extends (props: infer P extends object) => ReactNode ? P : object

export const lazyComponent = <M, N extends keyof M>(
  load: () => Promise<M>,
  name: N,
  fallback?: ReactNode,
  options?: Parameters<typeof lazyComponentFrom>[2],
) =>
  lazyComponentFrom(
    async () => (await load())[name] as ComponentType<PropsOf<M[N]>>,
    fallback,
    options,
  )

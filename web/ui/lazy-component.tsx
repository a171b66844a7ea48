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
/** If a timer is this late, the device was asleep. */
const MIN_SLEEP_MS = 10_000

class LoadError extends Error {
  constructor() {
    super('This part of the page could not be loaded.')
  }
}

/** Rejects with a LoadError after the timeout, which starts again if the device was asleep. */
const withTimeout = <Loaded,>(componentPromise: Promise<Loaded>): Promise<Loaded> =>
  new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>
    const startTimer = () => {
      const deadline = Date.now() + LOAD_TIMEOUT_MS
      const onTimer = () => {
        const wasAsleep = Date.now() > deadline + MIN_SLEEP_MS
        if (wasAsleep) startTimer()
        else reject(new LoadError())
      }
      timer = setTimeout(onTimer, LOAD_TIMEOUT_MS)
    }
    startTimer()
    componentPromise.then(resolve, () => reject(new LoadError())).finally(() => clearTimeout(timer))
  })

type BoundaryProps = { children: ReactNode; reset: () => void; reload: () => Promise<unknown> }
class LoadBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null }
  static getDerivedStateFromError = (error: unknown) => ({ error })
  #attempts = 0
  #stopRetrying = () => {}
  // If the component failed before the boundary mounted, there is no update.
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
    this.#attempts += 1
    await this.props.reload()
    this.setState({ error: null })
  }
  retry = () => {
    // Reloading the page helps if a new version renamed the file, and in browsers that never repeat
    // a failed import.
    if (this.#attempts > 0) location.reload()
    this.#attempts += 1
    this.props.reset()
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

/** React may delay a suspended component by 300 ms. With `showsImmediately`, a component that is
 *  already loaded is not suspended. */
export function lazyComponentFrom<ComponentProps extends object>(
  load: () => Promise<ComponentType<ComponentProps>>,
  fallback: ReactNode = null,
  { showsImmediately = false } = {},
) {
  let componentPromise: Promise<ComponentType<ComponentProps>> | undefined
  let loadedComponent: ComponentType<ComponentProps> | undefined
  const fetchComponent = () =>
    withTimeout(reloadFailedStylesheets().then(load)).then(
      (component) => (loadedComponent = component),
    )
  const preload = () => (componentPromise ??= fetchComponent())
  const reset = () => {
    componentPromise = undefined
  }
  const reload = async () => {
    const component = fetchComponent()
    await component
    componentPromise = component
  }
  let hasRendered = false
  const LoadedComponent = (props: ComponentProps) => {
    hasRendered = true
    const component = (showsImmediately && loadedComponent) || use(preload())
    return createElement(component, props)
  }
  const LazyComponent = (props: ComponentProps) => (
    <LoadBoundary reset={reset} reload={reload}>
      <Suspense fallback={fallback}>
        <LoadedComponent {...props} />
      </Suspense>
    </LoadBoundary>
  )
  // If a preload fails, the first render tries again. After the first render, the boundary retries.
  const tryPreload = () => void preload().catch(() => hasRendered || reset())
  return Object.assign(LazyComponent, {
    preload: tryPreload,
    preloadOnHover: { onPointerEnter: tryPreload, onFocus: tryPreload } satisfies PreloadOnHover,
  })
}

export type PreloadOnHover = { onPointerEnter: () => void; onFocus: () => void }

type PropsOf<Component> = Component extends (
  props: infer ComponentProps extends object,
) => ReactNode
  ? ComponentProps
  : object

export const lazyComponent = <Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  fallback?: ReactNode,
  options?: Parameters<typeof lazyComponentFrom>[2],
) =>
  lazyComponentFrom(
    async () => (await load())[name] as ComponentType<PropsOf<Module[Name]>>,
    fallback,
    options,
  )

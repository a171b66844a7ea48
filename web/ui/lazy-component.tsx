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

/** Vite tries to load a stylesheet only once, and would show the component unstyled. */
const reloadFailedStylesheets = (): Promise<unknown> =>
  Promise.all([...failedStylesheets].map(replace))

const replace = (old: HTMLLinkElement) =>
  new Promise<void>((resolve, reject) => {
    const link = old.cloneNode() as HTMLLinkElement
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error(`${link.href} could not be loaded`)))
    failedStylesheets.delete(old)
    old.replaceWith(link)
  })

const LOAD_TIMEOUT_MS = 120_000,
  /** A timer this late means that the device slept. */
  SLEPT_MS = 10_000

class NotLoaded extends Error {
  constructor() {
    super('This part of the page could not be loaded.')
  }
}

/** Rejects with NotLoaded after two minutes, not counting the time that the device slept. */
const withTimeout = <T,>(part: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      const end = Date.now() + LOAD_TIMEOUT_MS
      timer = setTimeout(
        () => (Date.now() > end + SLEPT_MS ? wait() : reject(new NotLoaded())),
        LOAD_TIMEOUT_MS,
      )
    }
    wait()
    part.then(resolve, () => reject(new NotLoaded())).finally(() => clearTimeout(timer))
  })

type BoundaryProps = { children: ReactNode; forget: () => void; reload: () => Promise<unknown> }
class LoadBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state = { error: null as unknown }
  static getDerivedStateFromError = (error: unknown) => ({ error })
  #tries = 0
  #stopRetrying = () => {}
  // A part that failed before the boundary mounted causes no update.
  override componentDidMount() {
    this.componentDidUpdate()
  }
  override componentDidUpdate() {
    this.#stopRetrying()
    if (this.state.error instanceof NotLoaded) this.#stopRetrying = startRetrying(this.reload)
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
    // A part may have a new name in a newer version, and some browsers never retry.
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

/** React may hold new content back for 300 ms; `atOnce` shows a loaded component immediately. */
export function lazyComponentFrom<P extends object>(
  load: () => Promise<ComponentType<P>>,
  fallback: ReactNode = null,
  { atOnce = false } = {},
) {
  let loading: Promise<ComponentType<P>> | undefined
  let loadedComponent: ComponentType<P> | undefined
  const fetchComponent = () =>
    withTimeout(reloadFailedStylesheets().then(load)).then((part) => (loadedComponent = part))
  const preload = () => (loading ??= fetchComponent())
  const forget = () => {
    loading = undefined
  }
  const reload = async () => {
    const part = fetchComponent()
    await part
    loading = part
  }
  let isShown = false
  const LoadedComponent = (props: P) => {
    isShown = true
    const part = (atOnce && loadedComponent) || use(preload())
    return createElement(part, props)
  }
  const LazyComponent = (props: P) => (
    <LoadBoundary forget={forget} reload={reload}>
      <Suspense fallback={fallback}>
        <LoadedComponent {...props} />
      </Suspense>
    </LoadBoundary>
  )
  const tryPreload = () => void preload().catch(() => isShown || forget())
  return Object.assign(LazyComponent, {
    preload: tryPreload,
    preloadOnHover: { onPointerEnter: tryPreload, onFocus: tryPreload } satisfies PreloadOnHover,
  })
}

/** Props for the button that opens it: preloads on hover and focus. */
export type PreloadOnHover = { onPointerEnter: () => void; onFocus: () => void }

type PropsOf<C> = C extends (props: infer P extends object) => ReactNode ? P : object

/** `lazyPart(() => import('./x.tsx'), 'X')`. */
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

import { useEffect, useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

/** A list may have to load again, so this is as long as a request may take. */
const RESTORE_TIMEOUT_MS = 8000
/** The position must not change for this many frames, because cards may change height as they
 *  appear. */
const STEADY_FRAMES = 5

/** A link that should be `top` pixels from the top of the screen again. `index` is its position
 *  among the links with this `href`. */
type Anchor = {
  href: string
  index: number
  top: number
  wasClicked: boolean
}
type ScrollPosition = { scrollY: number; anchor: Anchor | undefined }

const positionByEntry = new Map<string, ScrollPosition>()

const findLinks = (href: string) =>
  [...document.querySelectorAll<HTMLAnchorElement>('#content a')].filter(
    (link) => link.getAttribute('href') === href,
  )

function createAnchor(clickedLink: HTMLAnchorElement | null): Anchor | undefined {
  const link = clickedLink ?? findLinkInMiddle()
  const href = link?.getAttribute('href')
  if (!link || !href) return undefined
  const { top } = link.getBoundingClientRect()
  return { href, index: findLinks(href).indexOf(link), top, wasClicked: clickedLink !== null }
}

const findClosestLink = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('#content a[href]') : null

/** Measuring every link instead would lay out every card of a long list. */
const findLinkInMiddle = () =>
  document
    .elementFromPoint(window.innerWidth / 2, window.innerHeight / 2)
    ?.closest('#content :is(li, tr, article)')
    ?.querySelector<HTMLAnchorElement>('a[href]')

/** Measures how far to scroll. A link is a better anchor than a number, because the content above
 *  it may change. Returns undefined while the link is missing. */
const measureDistance = ({ scrollY, anchor }: ScrollPosition): number | undefined => {
  if (!anchor) return scrollY - window.scrollY
  const link = findLinks(anchor.href)[anchor.index]
  return link && link.getBoundingClientRect().top - anchor.top
}

function restore(position: ScrollPosition): () => void {
  const deadline = performance.now() + RESTORE_TIMEOUT_MS
  let frame = 0
  let steadyFrames = 0
  const stop = () => cancelAnimationFrame(frame)
  const adjustPosition = () => {
    const distance = measureDistance(position)
    if (distance === undefined) window.scrollTo(0, position.scrollY)
    else {
      steadyFrames = Math.abs(distance) > 1 ? 0 : steadyFrames + 1
      window.scrollBy(0, distance)
      // Returns the focus to the link that the user followed.
      if (
        position.anchor?.wasClicked &&
        steadyFrames === 1 &&
        document.activeElement === document.body
      )
        findLinks(position.anchor.href)[position.anchor.index]?.focus({ preventScroll: true })
    }
    if (steadyFrames < STEADY_FRAMES && performance.now() < deadline)
      frame = requestAnimationFrame(adjustPosition)
  }
  frame = requestAnimationFrame(adjustPosition)
  for (const event of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    window.addEventListener(event, stop, { once: true, passive: true })
  return stop
}

/** Restores scroll positions. The browser itself tries only once, often before a list has
 *  loaded. */
export function useScrollMemory() {
  const { key } = useLocation()
  const navigationType = useNavigationType()
  const entryKey = useRef(key)
  useEffect(() => {
    const remember = (anchor: Anchor | undefined) =>
      positionByEntry.set(entryKey.current, { scrollY: window.scrollY, anchor })
    const rememberAnchor = ({ target }: Event) => remember(createAnchor(findClosestLink(target)))
    const listeners = new AbortController()
    // These run before the router handles the click or popstate event.
    const earlyListenerOptions = { capture: true, signal: listeners.signal }
    window.addEventListener(
      'scroll',
      () => remember(positionByEntry.get(entryKey.current)?.anchor),
      {
        passive: true,
        signal: listeners.signal,
      },
    )
    window.addEventListener('click', rememberAnchor, earlyListenerOptions)
    window.addEventListener('popstate', rememberAnchor, earlyListenerOptions)
    return () => listeners.abort()
  }, [])
  useLayoutEffect(() => {
    const previousKey = entryKey.current
    entryKey.current = key
    if (previousKey === key) return undefined
    const previousPosition = positionByEntry.get(previousKey)
    // Only the URL changed, so the history entry keeps its position under a new key.
    if (navigationType === NavigationType.Replace && previousPosition)
      positionByEntry.set(key, previousPosition)
    const position = positionByEntry.get(key)
    if (navigationType !== NavigationType.Pop || !position) return undefined
    return restore(position)
  }, [key, navigationType])
}

import { useEffect, useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

/** As long as a call may take: lists may have to be loaded again. */
const RESTORE_TIMEOUT_MS = 8000
/** Cards that scroll into view may still change height. */
const STEADY_FRAMES = 5

/** The `index`-th link with this href, and its distance from the top of the window. */
type Anchor = { href: string; index: number; top: number; isDeparture: boolean }
type Place = { depth: number; anchor: Anchor | undefined }

const places = new Map<string, Place>()

const linksTo = (href: string) =>
  [...document.querySelectorAll<HTMLAnchorElement>('#content a')].filter(
    (a) => a.getAttribute('href') === href,
  )

function anchorFor(clickedLink: HTMLAnchorElement | null): Anchor | undefined {
  const link = clickedLink ?? linkInTheMiddle()
  const href = link?.getAttribute('href')
  if (!link || !href) return undefined
  const { top } = link.getBoundingClientRect()
  return { href, index: linksTo(href).indexOf(link), top, isDeparture: clickedLink !== null }
}

/** elementFromPoint, because measuring every link would lay out every card of a long list. */
const linkInTheMiddle = () =>
  document
    .elementFromPoint(window.innerWidth / 2, window.innerHeight / 2)
    ?.closest('#content :is(li, tr, article)')
    ?.querySelector<HTMLAnchorElement>('a[href]')

/** Measured by the link if there is one, because what lies above it may change height. */
const distanceTo = ({ depth, anchor }: Place) => {
  const link = anchor && linksTo(anchor.href)[anchor.index]
  if (!link) return anchor ? undefined : depth - window.scrollY
  return link.getBoundingClientRect().top - anchor.top
}

/** Scrolls until the position holds, then focuses the link. Returns a function that stops it. */
function restore(place: Place): () => void {
  const deadline = performance.now() + RESTORE_TIMEOUT_MS
  let frame = 0
  let steady = 0
  const stop = () => cancelAnimationFrame(frame)
  const step = () => {
    const distance = distanceTo(place)
    if (distance === undefined) window.scrollTo(0, place.depth)
    else {
      steady = Math.abs(distance) > 1 ? 0 : steady + 1
      window.scrollBy(0, distance)
      if (place.anchor?.isDeparture && steady === 1 && document.activeElement === document.body)
        linksTo(place.anchor.href)[place.anchor.index]?.focus({ preventScroll: true })
    }
    if (steady < STEADY_FRAMES && performance.now() < deadline) frame = requestAnimationFrame(step)
  }
  frame = requestAnimationFrame(step)
  for (const event of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    window.addEventListener(event, stop, { once: true, passive: true })
  return stop
}

/** Restores the position on Back and Forward. The browser tries once, often before a list loads. */
export function useScrollMemory() {
  const { key } = useLocation()
  const arrival = useNavigationType()
  const entry = useRef(key)
  useEffect(() => {
    const remember = (anchor: Anchor | undefined) =>
      places.set(entry.current, { depth: window.scrollY, anchor })
    // Listens early, before the router handles the click or the history step.
    const rememberAnchor = ({ target }: Event) =>
      remember(
        anchorFor(
          target instanceof Element ? target.closest<HTMLAnchorElement>('#content a[href]') : null,
        ),
      )
    const listeners = new AbortController()
    const early = { capture: true, signal: listeners.signal }
    window.addEventListener('scroll', () => remember(places.get(entry.current)?.anchor), {
      passive: true,
      signal: listeners.signal,
    })
    window.addEventListener('click', rememberAnchor, early)
    window.addEventListener('popstate', rememberAnchor, early)
    return () => listeners.abort()
  }, [])
  useLayoutEffect(() => {
    const previousKey = entry.current
    entry.current = key
    if (previousKey === key) return undefined
    const previousPlace = places.get(previousKey)
    // Only the address changed: the same entry has a new key.
    if (arrival === NavigationType.Replace && previousPlace) places.set(key, previousPlace)
    const place = places.get(key)
    if (arrival !== NavigationType.Pop || !place) return undefined
    return restore(place)
  }, [key, arrival])
}

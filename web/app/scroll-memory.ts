import { useEffect, useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

/** Lists that have to be loaded again take as long as a call may. */
const RESTORE_TIMEOUT_MS = 8000
/** A place is kept for so many frames in a row: cards that come into view for the first time may still change their height. */
const STEADY_FRAMES = 5

/** A link, as the `index`-th of those with its address, and where on the screen it stood when one left: the one by which one left, or that of
 *  the row in the middle of the screen. */
type Anchor = { href: string; index: number; top: number; isDeparture: boolean }
type Place = { depth: number; anchor: Anchor | undefined }

/** Where one was in each entry of the history. */
const places = new Map<string, Place>()

const linksTo = (href: string) =>
  [...document.querySelectorAll<HTMLAnchorElement>('#content a')].filter(
    (a) => a.getAttribute('href') === href,
  )

/** By the link that was clicked, else by that of the row in the middle of the screen. */
function anchorFor(clickedLink: HTMLAnchorElement | null): Anchor | undefined {
  const link = clickedLink ?? linkInTheMiddle()
  const href = link?.getAttribute('href')
  if (!link || !href) return undefined
  const { top } = link.getBoundingClientRect()
  return { href, index: linksTo(href).indexOf(link), top, isDeparture: clickedLink !== null }
}

/** Found by the point, because asking all links where they are would lay out every card of a long list. */
const linkInTheMiddle = () =>
  document
    .elementFromPoint(window.innerWidth / 2, window.innerHeight / 2)
    ?.closest('#content :is(li, tr, article)')
    ?.querySelector<HTMLAnchorElement>('a[href]')

/** How far the page is from the place. By the link where there is one: what lies above it may have another height than before. */
const distanceTo = ({ depth, anchor }: Place) => {
  const link = anchor && linksTo(anchor.href)[anchor.index]
  if (!link) return anchor ? undefined : depth - window.scrollY
  return link.getBoundingClientRect().top - anchor.top
}

/** Scrolls until the page is steadily at the place, and gives the link by which one left the focus. Returns a function that stops it. */
function restore(place: Place): () => void {
  const deadline = performance.now() + RESTORE_TIMEOUT_MS
  let frame = 0
  let steady = 0
  const stop = () => cancelAnimationFrame(frame)
  const step = () => {
    const distance = distanceTo(place)
    // Until the link is there, as near as the length of the page allows.
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

/** Back and forward return to where one was. The browser tries once, often before a list has its length again; this waits for it. */
export function useScrollMemory() {
  const { key } = useLocation()
  const arrival = useNavigationType()
  const entry = useRef(key)
  useEffect(() => {
    const remember = (anchor: Anchor | undefined) =>
      places.set(entry.current, { depth: window.scrollY, anchor })
    // Before the router takes the click or the step in the history, and whatever becomes of it.
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
    // Only the address changed: the entry goes on under another key.
    if (arrival === NavigationType.Replace && previousPlace) places.set(key, previousPlace)
    const place = places.get(key)
    if (arrival !== NavigationType.Pop || !place) return undefined
    return restore(place)
  }, [key, arrival])
}

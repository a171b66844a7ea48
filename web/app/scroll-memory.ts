import { useEffect, useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

/** Lists that have to be loaded again take as long as a call may. */
const RESTORE_TIMEOUT_MS = 8000
/** A place is kept for so many frames in a row: cards that come into view for the first time may still change their height. */
const STEADY_FRAMES = 5

/** The link by which one left, as the `index`-th of those with its address, and where on the screen it stood. */
type Departure = { href: string; index: number; top: number }
type Place = { depth: number; departure?: Departure }

/** Where one was in each entry of the history. */
const places = new Map<string, Place>()

const linksTo = (href: string) =>
  [...document.querySelectorAll<HTMLAnchorElement>('#content a')].filter((a) => a.getAttribute('href') === href)

function departureBy(link: HTMLAnchorElement): Departure {
  const href = link.getAttribute('href') ?? ''
  return { href, index: linksTo(href).indexOf(link), top: link.getBoundingClientRect().top }
}

/** How far the page is from the place. By the link where there is one: what lies above it may have another height than before. */
const distanceTo = ({ depth, departure }: Place) => {
  const link = departure && linksTo(departure.href)[departure.index]
  if (!link) return departure ? undefined : depth - window.scrollY
  return link.getBoundingClientRect().top - departure.top
}

/** Scrolls until the page is steadily at the place, and gives the link by which one left the focus. Returns a function that stops it. */
function restore(place: Place): () => void {
  const until = performance.now() + RESTORE_TIMEOUT_MS
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
      if (place.departure && steady === 1 && document.activeElement === document.body)
        linksTo(place.departure.href)[place.departure.index]?.focus({ preventScroll: true })
    }
    if (steady < STEADY_FRAMES && performance.now() < until) frame = requestAnimationFrame(step)
  }
  frame = requestAnimationFrame(step)
  for (const event of ['wheel', 'touchstart', 'pointerdown', 'keydown']) window.addEventListener(event, stop, { once: true, passive: true })
  return stop
}

/** Back and forward return to where one was. The browser tries once, often before a list has its length again; this waits for it. */
export function useScrollMemory() {
  const { key } = useLocation()
  const arrival = useNavigationType()
  const entry = useRef(key)
  useEffect(() => {
    const rememberDepth = () => {
      const { departure } = places.get(entry.current) ?? {}
      places.set(entry.current, { depth: window.scrollY, ...(departure && { departure }) })
    }
    // Before the router takes the click, and whatever becomes of it.
    const rememberLink = ({ target }: Event) => {
      const link = target instanceof Element && target.closest<HTMLAnchorElement>('#content a[href]')
      places.set(entry.current, { depth: window.scrollY, ...(link && { departure: departureBy(link) }) })
    }
    window.addEventListener('scroll', rememberDepth, { passive: true })
    window.addEventListener('click', rememberLink, { capture: true })
    return () => {
      window.removeEventListener('scroll', rememberDepth)
      window.removeEventListener('click', rememberLink, { capture: true })
    }
  }, [])
  useLayoutEffect(() => {
    const before = entry.current
    entry.current = key
    if (before === key) return undefined
    const left = places.get(before)
    // Only the address changed: the entry goes on under another key.
    if (arrival === NavigationType.Replace && left) places.set(key, left)
    const place = places.get(key)
    if (arrival !== NavigationType.Pop || !place) return undefined
    return restore(place)
  }, [key, arrival])
}

import { useEffect, useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

const PATIENCE_MS = 1000
/** How far down each entry of the history was scrolled. */
const depths = new Map<string, number>()

/** Back and forward return to where one was. The browser tries once, often before a list has its length again; this waits for it. */
export function useScrollMemory() {
  const { key } = useLocation()
  const arrival = useNavigationType()
  const entry = useRef(key)
  useEffect(() => {
    const remember = () => depths.set(entry.current, window.scrollY)
    window.addEventListener('scroll', remember, { passive: true })
    return () => window.removeEventListener('scroll', remember)
  }, [])
  useLayoutEffect(() => {
    const before = entry.current
    entry.current = key
    if (before === key) return undefined
    // Only the address changed: the entry goes on under another key.
    if (arrival === NavigationType.Replace) depths.set(key, depths.get(before) ?? 0)
    const depth = depths.get(key)
    if (arrival !== NavigationType.Pop || !depth) return undefined
    const until = performance.now() + PATIENCE_MS
    let frame = 0
    const stop = () => cancelAnimationFrame(frame)
    const restore = () => {
      window.scrollTo(0, depth)
      if (Math.abs(window.scrollY - depth) > 1 && performance.now() < until) frame = requestAnimationFrame(restore)
    }
    frame = requestAnimationFrame(restore)
    for (const event of ['wheel', 'touchstart', 'keydown']) window.addEventListener(event, stop, { once: true, passive: true })
    return stop
  }, [key, arrival])
}

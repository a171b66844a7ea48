import { useEffect, useRef, useLayoutEffect } from 'react'
import { NavigationType, Outlet, useLocation, useNavigationType } from 'react-router'
import { useCurrentUser } from '../lib/current-user.ts'
import { formatDate, today } from '../lib/dates.ts'
import { pageOf } from '../lib/layout.ts'
import styles from './layouts.module.css'
import { screenAt } from './routes.tsx'

/** The place of the screens. Going to another one begins at its top, for the eye and for a screen reader. */
export function Content({ className }: { className: string | undefined }) {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const arrival = useNavigationType()
  const shown = useRef(pathname)
  useScrollMemory()
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    // Back and forward return to where one was.
    if (arrival === NavigationType.Pop) return
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [pathname, arrival])
  const title = screenAt(pageOf(pathname))?.title
  return (
    <main id="content" ref={main} tabIndex={-1} aria-label={title} className={className}>
      <PrintHeader title={title} />
      <Outlet />
    </main>
  )
}

/** What a sheet of paper has to say, as nothing around it does: whose it is, what it shows, and as of when. */
function PrintHeader({ title }: { title: string | undefined }) {
  const { dojo_name } = useCurrentUser()
  return (
    <p className={styles.printHeader} aria-hidden>
      <span>{[dojo_name, title].filter(Boolean).join(' · ')}</span>
      <span>{formatDate(today())}</span>
    </p>
  )
}

const RESTORE_TIMEOUT_MS = 1000
/** How far down each entry of the history was scrolled. */
const scrollPositions = new Map<string, number>()

/** Back and forward return to where one was. The browser tries once, often before a list has its length again; this waits for it. */
function useScrollMemory() {
  const { key } = useLocation()
  const arrival = useNavigationType()
  const entry = useRef(key)
  useEffect(() => {
    const remember = () => scrollPositions.set(entry.current, window.scrollY)
    window.addEventListener('scroll', remember, { passive: true })
    return () => window.removeEventListener('scroll', remember)
  }, [])
  useLayoutEffect(() => {
    const before = entry.current
    entry.current = key
    if (before === key) return undefined
    // Only the address changed: the entry goes on under another key.
    if (arrival === NavigationType.Replace) scrollPositions.set(key, scrollPositions.get(before) ?? 0)
    const depth = scrollPositions.get(key)
    if (arrival !== NavigationType.Pop || !depth) return undefined
    const until = performance.now() + RESTORE_TIMEOUT_MS
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

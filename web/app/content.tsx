import { useEffect, useRef } from 'react'
import { NavigationType, Outlet, useLocation, useNavigationType } from 'react-router'
import { pageOf } from '../lib/layout.ts'
import { PrintHead } from './print-head.tsx'
import { screenAt } from './routes.tsx'
import { useScrollMemory } from './use-scroll-memory.ts'

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
    // Back and forward return to where one was (use-scroll-memory.ts).
    if (arrival === NavigationType.Pop) return
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [pathname, arrival])
  const title = screenAt(pageOf(pathname))?.title
  return (
    <main id="content" ref={main} tabIndex={-1} aria-label={title} className={className}>
      <PrintHead title={title} />
      <Outlet />
    </main>
  )
}

import { useEffect, useRef } from 'react'
import { NavigationType, Outlet, useLocation, useNavigationType } from 'react-router'
import { useCurrentUser } from '../lib/current-user.ts'
import { formatDate } from '../lib/dates.ts'
import { pathWithoutLayout } from '../lib/layout.ts'
import { useToday } from '../lib/use-today.ts'
import { joinNonEmpty } from '../lib/text.ts'
import styles from './layouts.module.css'
import { findScreen } from './routes.tsx'
import { useScrollMemory } from './scroll-memory.ts'

export function Content({ className }: { className: string | undefined }) {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const navigationType = useNavigationType()
  const visiblePathname = useRef(pathname)
  useScrollMemory()
  useEffect(() => {
    if (visiblePathname.current === pathname) return
    visiblePathname.current = pathname
    // Back and forward restore the scroll position instead (scroll-memory.ts).
    if (navigationType === NavigationType.Pop) return
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [pathname, navigationType])
  const title = findScreen(pathWithoutLayout(pathname))?.title
  return (
    <main id="content" ref={main} tabIndex={-1} aria-label={title} className={className}>
      <PrintHeader title={title} />
      <Outlet />
    </main>
  )
}

/** Shown only on paper, where it replaces the header of the layout. */
function PrintHeader({ title }: { title: string | undefined }) {
  const { dojo_name } = useCurrentUser()
  return (
    <p className={styles.printHeader} aria-hidden>
      <span>{joinNonEmpty([dojo_name, title], ' · ')}</span>
      <span>{formatDate(useToday())}</span>
    </p>
  )
}

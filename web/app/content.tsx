import { useEffect, useRef } from 'react'
import { NavigationType, Outlet, useLocation, useNavigationType } from 'react-router'
import { useCurrentUser } from '../lib/current-user.ts'
import { formatDate } from '../lib/dates.ts'
import { pathWithoutLayout } from '../lib/layout.ts'
import { useToday } from '../lib/use-today.ts'
import { joinNonEmpty } from '../lib/text.ts'
import styles from './layouts.module.css'
import { screenAt } from './routes.tsx'
import { useScrollMemory } from './scroll-memory.ts'

export function Content({ className }: { className: string | undefined }) {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const arrival = useNavigationType()
  const shownPathname = useRef(pathname)
  useScrollMemory()
  useEffect(() => {
    if (shownPathname.current === pathname) return
    shownPathname.current = pathname
    // Back and forward restore the scroll position instead (scroll-memory.ts).
    if (arrival === NavigationType.Pop) return
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [pathname, arrival])
  const title = screenAt(pathWithoutLayout(pathname))?.title
  return (
    <main id="content" ref={main} tabIndex={-1} aria-label={title} className={className}>
      <PrintHeader title={title} />
      <Outlet />
    </main>
  )
}

/** Shown on paper only, where the layout around the screen is missing. */
function PrintHeader({ title }: { title: string | undefined }) {
  const { dojo_name } = useCurrentUser()
  return (
    <p className={styles.printHeader} aria-hidden>
      <span>{joinNonEmpty([dojo_name, title], ' · ')}</span>
      <span>{formatDate(useToday())}</span>
    </p>
  )
}

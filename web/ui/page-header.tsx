import { Title } from '@mantine/core'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useLayout } from '../lib/layout-link.tsx'
import styles from './page-header.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'
import kit from './kit.module.css'

type Props = {
  title: string
  subtitle?: ReactNode
  children?: ReactNode
  showsTitleOnPhone?: boolean
}

/** On a phone the top bar shows the title, so this heading is only for screen readers. */
export function PageHeader({ title, subtitle, children, showsTitleOnPhone }: Props) {
  const layout = useLayout()
  const isHidden = layout === 'mobile' && !showsTitleOnPhone
  const heading = <Title order={1}>{title}</Title>
  if (isHidden && !subtitle && !children) return <VisuallyHidden>{heading}</VisuallyHidden>
  return (
    <header className={`${kit.spread} ${styles.header}`} data-layout={layout}>
      <div className={styles.text}>
        {isHidden ? <VisuallyHidden>{heading}</VisuallyHidden> : heading}
        {subtitle && <p className={kit.muted}>{subtitle}</p>}
      </div>
      {children && <div className={styles.actions}>{children}</div>}
    </header>
  )
}

/** The main actions on a phone: full width, above the tabs. Render it last. */
export const BottomActions = ({ children }: { children: ReactNode }) =>
  useLayout() === 'mobile' ? <BottomActionBar>{children}</BottomActionBar> : null

/** With text this large, a fixed bar would cover too much, so it scrolls with the page. */
const LARGE_TEXT_PX = 24

/** Sets `--bottom-actions` to its height, because the other bars are above it (foot-bar.tsx) and
 *  the page needs that much space at its end. */
function BottomActionBar({ children }: { children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = bar.current
    const root = document.documentElement
    if (!element) return undefined
    const publishHeight = () => {
      const isStatic = parseFloat(getComputedStyle(root).fontSize) >= LARGE_TEXT_PX
      element.dataset.static = String(isStatic)
      root.style.setProperty('--bottom-actions', isStatic ? '0px' : `${element.offsetHeight}px`)
    }
    publishHeight()
    const observer = new ResizeObserver(publishHeight)
    observer.observe(element)
    return () => {
      observer.disconnect()
      root.style.removeProperty('--bottom-actions')
    }
  }, [])
  return (
    <div ref={bar} className={styles.bar}>
      {children}
    </div>
  )
}

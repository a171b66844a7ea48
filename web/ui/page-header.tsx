import { Title } from '@mantine/core'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useLayout } from '../lib/layout-link.tsx'
import styles from './page-header.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'
import kit from './kit.module.css'

type Props = {
  title: string
  subtitle?: ReactNode
  /** The screen's acts, at the right on a desktop. */
  children?: ReactNode
  /** Shows the title on a phone as well, where the top bar does not already say it. */
  ownTitle?: boolean
  /** On a phone the acts stay in one line, which scrolls, where they are many. */
  scrolls?: boolean
}

/** The head of a screen. On a phone the top bar shows the title, so here it is only read out. */
export function PageHeader({ title, subtitle, children, ownTitle, scrolls }: Props) {
  const layout = useLayout()
  const isHidden = layout === 'mobile' && !ownTitle
  const heading = <Title order={1}>{title}</Title>
  if (isHidden && !subtitle && !children) return <VisuallyHidden>{heading}</VisuallyHidden>
  return (
    <header className={`${kit.spread} ${styles.header}`} data-layout={layout}>
      <div className={styles.words}>
        {isHidden ? <VisuallyHidden>{heading}</VisuallyHidden> : heading}
        {subtitle && <p className={styles.subtitle}>{subtitle}</p>}
      </div>
      {children && (
        <div className={styles.actions} data-scrolls={scrolls && layout === 'mobile'}>
          {children}
        </div>
      )}
    </header>
  )
}

/** A phone's place for the main act of a screen: full width above the tabs, where a thumb reaches. Comes last in the screen. */
export const BottomActions = ({ children }: { children: ReactNode }) =>
  useLayout() === 'mobile' ? <MainActBar>{children}</MainActBar> : null

/** Says how high it is, so that the bars at the foot stand above it (foot-bar.tsx). */
function MainActBar({ children }: { children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { style } = document.documentElement
    const observer = new ResizeObserver(([entry]) =>
      style.setProperty('--bottom-actions', `${entry?.target.clientHeight ?? 0}px`),
    )
    if (bar.current) observer.observe(bar.current)
    return () => {
      observer.disconnect()
      style.removeProperty('--bottom-actions')
    }
  }, [])
  return (
    <div ref={bar} className={styles.bar}>
      {children}
    </div>
  )
}

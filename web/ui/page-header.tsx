import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLayout } from '../lib/layout-link.tsx'
import styles from './page-header.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

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
    <header className={styles.header} data-layout={layout}>
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
  useLayout() === 'mobile' ? (
    <div className={styles.bar} data-bottom-actions>
      {children}
    </div>
  ) : null

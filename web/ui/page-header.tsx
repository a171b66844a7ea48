import { Button, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import type { LinkPath } from '../lib/paths.ts'
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
        {subtitle && <p className={kit.muted}>{subtitle}</p>}
      </div>
      {children && (
        <div className={styles.actions} data-scrolls={scrolls && layout === 'mobile'}>
          {children}
        </div>
      )}
    </header>
  )
}

type BackProps = { to: LinkPath; replace?: boolean; children: string }

/** Above the head of a screen: the way to the screen that it belongs to. */
export const BackLink = ({ to, replace, children }: BackProps) => (
  <Button
    component={LayoutLink}
    to={to}
    {...(replace && { replace })}
    variant="subtle"
    ml="-md"
    leftSection={<IconArrowLeft size={20} aria-hidden />}
  >
    {children}
  </Button>
)

/** A phone's place for the main act of a screen: full width above the tabs, where a thumb reaches. Comes last in the screen. */
export const BottomActions = ({ children }: { children: ReactNode }) =>
  useLayout() === 'mobile' ? <MainActBar>{children}</MainActBar> : null

/** From letters of this size on it stands below the content: it would cover most of what is read (mantine.css, --stick). */
const LARGE_LETTERS_PX = 24

/** Stays at the foot, and says how high it is: the other bars stand above it (foot-bar.tsx), and the page ends that much higher. */
function MainActBar({ children }: { children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = bar.current
    const root = document.documentElement
    if (!element) return undefined
    const publishHeight = () => {
      const isStatic = parseFloat(getComputedStyle(root).fontSize) >= LARGE_LETTERS_PX
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

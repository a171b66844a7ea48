import { type ReactNode, useLayoutEffect } from 'react'
import { createPortal } from 'react-dom'
import { useLayout } from '../lib/layout-link.tsx'
import styles from './foot-bar.module.css'

/** From the foot up. What one works with stays where it is; what comes and goes by itself stands above it. */
export type FootPlace = 'selection' | 'undo' | 'result' | 'version' | 'install'

let foot: HTMLElement | undefined

function createFoot(): HTMLElement {
  const element = document.createElement('div')
  element.className = styles.foot ?? ''
  document.body.append(element)
  // The page ends so much higher that its last row can be scrolled out from below the bars.
  const publishHeight = () =>
    document.documentElement.style.setProperty('--foot-bars', `${element.offsetHeight}px`)
  new ResizeObserver(publishHeight).observe(element)
  return element
}

const footElement = (): HTMLElement => (foot ??= createFoot())

type Props = { place: FootPlace; children: ReactNode }

/** The one place for bars at the foot of a screen: they stand above each other, the tabs and the screen's main act, never over one. */
export function FootBar({ place, children }: Props) {
  const layout = useLayout()
  useLayoutEffect(() => {
    footElement().dataset.layout = layout
  }, [layout])
  return createPortal(
    <div className={styles.place} data-place={place}>
      {children}
    </div>,
    footElement(),
  )
}

import { type ReactNode, useLayoutEffect } from 'react'
import { createPortal } from 'react-dom'
import { useLayout } from '../lib/layout-link.tsx'
import styles from './foot-bar.module.css'

/** The bars from the bottom up. Those that users work with are lowest, so they do not move. */
export type FootPlace = 'selection' | 'undo' | 'result' | 'version' | 'install' | 'preview'

let foot: HTMLElement | undefined

function createFoot(): HTMLElement {
  const element = document.createElement('div')
  element.className = styles.foot ?? ''
  document.body.append(element)
  // The page grows by this height, so that its last row can be scrolled above the bars.
  const publishHeight = () =>
    document.documentElement.style.setProperty('--foot-bars', `${element.offsetHeight}px`)
  new ResizeObserver(publishHeight).observe(element)
  return element
}

const footElement = (): HTMLElement => (foot ??= createFoot())

type Props = { place: FootPlace; children: ReactNode }

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

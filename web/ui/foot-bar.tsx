import { type ReactNode, useLayoutEffect } from 'react'
import { createPortal } from 'react-dom'
import { useLayout } from '../lib/layout-link.tsx'
import styles from './foot-bar.module.css'

/** The bars from the bottom up. Bars with buttons are lowest, so that other bars never move
 *  them. */
export type FootPlace = 'selection' | 'undo' | 'result' | 'version' | 'install' | 'preview'

let footElement: HTMLElement | undefined

function createFootElement(): HTMLElement {
  const element = document.createElement('div')
  element.className = styles.foot ?? ''
  document.body.append(element)
  // The page has this much space at its end, so that its last row can be scrolled above the bars.
  const publishHeight = () =>
    document.documentElement.style.setProperty('--foot-bars', `${element.offsetHeight}px`)
  new ResizeObserver(publishHeight).observe(element)
  return element
}

const getFootElement = (): HTMLElement => (footElement ??= createFootElement())

type Props = { place: FootPlace; children: ReactNode }

export function FootBar({ place, children }: Props) {
  const layout = useLayout()
  useLayoutEffect(() => {
    getFootElement().dataset.layout = layout
  }, [layout])
  return createPortal(
    <div className={styles.place} data-place={place}>
      {children}
    </div>,
    getFootElement(),
  )
}

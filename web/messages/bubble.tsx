import type { TextState } from '@tatami/contract/texting/text-history'
import type { ReactNode } from 'react'
import { formatDateTime } from '../lib/dates.ts'
import styles from './bubble.module.css'
import { TextStatus } from '../texting/delivery-progress.tsx'
import kit from '../ui/kit.module.css'

export const Bubbles = ({ label, children }: { label?: string; children: ReactNode }) => (
  <ol className={kit.stackSmall} aria-label={label}>
    {children}
  </ol>
)

type Props = {
  text: string
  /** When the text was sent or received. */
  at: string
  isOwn: boolean
  state?: TextState | null
  startOfLine?: ReactNode
  endOfLine?: ReactNode
  children?: ReactNode
}

export const Bubble = ({ text, at, isOwn, state, startOfLine, endOfLine, children }: Props) => (
  <li className={`${kit.lines} ${styles.item}`} data-own={isOwn}>
    <p className={styles.text}>{text}</p>
    <span className={`${kit.wrap} ${kit.note} ${styles.details}`}>
      {startOfLine}
      <time dateTime={at}>{formatDateTime(at)}</time>
      {state && <TextStatus state={state} />}
      {endOfLine}
    </span>
    {children}
  </li>
)

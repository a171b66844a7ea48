import type { ReactNode } from 'react'
import styles from './progress-ring.module.css'

type Props = { completion: number; size: number; children: ReactNode }

/** A ring around a belt. Screen readers skip it, because the percentage is next to it. */
export const ProgressRing = ({ completion, size, children }: Props) => (
  <span className={styles.ring} style={{ width: `${size}px`, height: `${size}px` }}>
    <svg viewBox="0 0 100 100" aria-hidden className={styles.circles}>
      <circle cx="50" cy="50" r="46" className={styles.track} />
      {completion > 0 && (
        <circle
          cx="50"
          cy="50"
          r="46"
          pathLength={100}
          strokeDasharray={`${completion * 100} 100`}
          className={styles.done}
        />
      )}
    </svg>
    {children}
  </span>
)

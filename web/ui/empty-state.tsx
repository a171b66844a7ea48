import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

export const EmptyState = ({ children, action }: { children: ReactNode; action?: ReactNode }) => (
  <div className={styles.emptyState}>
    <svg width="120" height="72" viewBox="0 0 120 72" aria-hidden className={styles.drawing}>
      <path d="M60 6 112 32 60 58 8 32z" />
      <path d="M42.7 14.7 77.3 32M94.7 23.3 60 40.7M42.7 32l34.6 17.3M60 23.3 25.3 40.7" />
      <path
        className={styles.lightLines}
        d="M54.8 12.1 82.5 25.9M37.5 38.1l27.7 13.8M96.4 31.1 70.4 44.1M34.7 18.7 15 28.6"
      />
      <path d="M8 32v5l52 26 52-26v-5M60 58v5" />
    </svg>
    <p className={styles.text}>{children}</p>
    {action}
  </div>
)

import type { ReactNode } from 'react'
import styles from './badge.module.css'

type Props = { tone?: 'plain' | 'blue' | 'green' | 'orange' | 'red'; children: ReactNode }

/** A word or two that stand out, with or without an icon. */
export const Badge = ({ tone = 'plain', children }: Props) => (
  <span className={styles.badge} data-tone={tone}>
    {children}
  </span>
)

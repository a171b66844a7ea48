import type { ReactNode } from 'react'
import styles from './badge.module.css'

type Props = { tone?: 'plain' | 'blue' | 'green' | 'orange' | 'red'; children: ReactNode }

export const Badge = ({ tone = 'plain', children }: Props) => (
  <span className={styles.badge} data-tone={tone}>
    {children}
  </span>
)

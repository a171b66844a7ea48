import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './skeletons.module.css'
import kit from './kit.module.css'

type Props = { count?: number; height?: number; label: string }

export const Skeletons = ({ count = 4, height = 72, label }: Props) => (
  <div role="status" className={styles.skeletons}>
    <span className={kit.muted}>{label}</span>
    {Array.from({ length: count }, (_, index) => (
      <Skeleton key={index} height={height} radius="md" aria-hidden />
    ))}
  </div>
)

export const SkeletonBlock = ({ height, children }: { height: string; children?: ReactNode }) => (
  <div className={styles.block}>
    <Skeleton height={height} radius="md" aria-hidden />
    {children && <span className={styles.label}>{children}</span>}
  </div>
)

import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff, IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './notices.module.css'
import kit from './kit.module.css'

export const ErrorNotice = ({ children, onRetry }: { children: ReactNode; onRetry?: () => void }) =>
  children ? (
    <div role="alert" className={`${kit.notice} ${styles.error}`} data-tone="red">
      <IconAlertTriangle size={20} aria-hidden />
      <div className={styles.text}>{children}</div>
      {onRetry && (
        <Button variant="default" size="sm" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  ) : null

export const RetryNotice = ({ onRetry, children }: { onRetry: () => void; children: string }) => (
  <div role="status" className={`${kit.row} ${styles.retryNotice}`}>
    <IconCloudOff size={20} aria-hidden />
    <p className={styles.retryText}>{children}</p>
    <Button variant="default" onClick={onRetry}>
      Try again
    </Button>
  </div>
)

export const DoneNotice = ({ children }: { children: ReactNode }) => (
  <p className={styles.doneNotice} role="status">
    <IconCircleCheck size={24} aria-hidden />
    <span>{children}</span>
  </p>
)

export const Warning = ({ children }: { children: ReactNode }) => (
  <div role="status" className={`${kit.notice} ${styles.warning}`} data-tone="orange">
    <IconAlertTriangle size={20} aria-hidden />
    <div className={styles.text}>{children}</div>
  </div>
)

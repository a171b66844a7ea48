import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff, IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './notices.module.css'
import kit from './kit.module.css'

/** The red box beside the act that failed. Nothing while there is nothing to say. */
export const ErrorNotice = ({ children, onRetry }: { children: ReactNode; onRetry?: () => void }) =>
  children ? (
    <div role="alert" className={`${kit.notice} ${styles.error}`} data-tone="red">
      <IconAlertTriangle size={20} aria-hidden />
      <div className={styles.words}>{children}</div>
      {onRetry && (
        <Button variant="default" size="sm" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  ) : null

/** Stands where something could not be loaded. Quieter than an error: nothing of the reader's was lost, and it loads by itself later. */
export const RetryNotice = ({ onRetry, children }: { onRetry: () => void; children: string }) => (
  <div role="status" className={`${kit.row} ${styles.retry}`}>
    <IconCloudOff size={20} aria-hidden />
    <p className={styles.retryWords}>{children}</p>
    <Button variant="default" onClick={onRetry}>
      Try again
    </Button>
  </div>
)

/** What was done, at the end of a dialog. */
export const DoneNotice = ({ children }: { children: ReactNode }) => (
  <p className={styles.done} role="status">
    <IconCircleCheck size={24} aria-hidden />
    <span>{children}</span>
  </p>
)

/** What should be looked at, while the work goes on. */
export const Warning = ({ children }: { children: ReactNode }) => (
  <div role="status" className={`${kit.notice} ${styles.warning}`} data-tone="orange">
    <IconAlertTriangle size={20} aria-hidden />
    <div className={styles.words}>{children}</div>
  </div>
)

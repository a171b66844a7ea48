import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff, IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './notices.module.css'
import kit from './kit.module.css'

type ErrorProps = {
  children: ReactNode
  onRetry?: () => void
  /** True if `onRetry` saves the user's change. Otherwise, it loads data again. */
  isUnsaved?: boolean
}

export function ErrorNotice({ children, onRetry, isUnsaved = false }: ErrorProps) {
  if (!children) return null
  if (onRetry && !isUnsaved)
    return (
      <RetryMessage role="alert" onRetry={onRetry}>
        {children}
      </RetryMessage>
    )
  return (
    <div role="alert" className={`${kit.notice} ${styles.error}`} data-tone="red">
      <IconAlertTriangle size={20} aria-hidden />
      <div className={styles.text}>{children}</div>
      {onRetry && (
        <Button variant="default" size="sm" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}

type RetryProps = { role: 'alert' | 'status'; onRetry: () => void; children: ReactNode }

const RetryMessage = ({ role, onRetry, children }: RetryProps) => (
  <div role={role} className={`${kit.row} ${styles.retryNotice}`}>
    <IconCloudOff size={20} aria-hidden />
    <div className={styles.text}>{children}</div>
    <Button variant="default" size="sm" onClick={onRetry}>
      Try again
    </Button>
  </div>
)

export const RetryNotice = (props: Omit<RetryProps, 'role'>) => (
  <RetryMessage role="status" {...props} />
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

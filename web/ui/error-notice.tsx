import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './error-notice.module.css'

/** The red box beside the act that failed. Nothing while there is nothing to say. */
export const ErrorNotice = ({ children, onRetry }: { children: ReactNode; onRetry?: () => void }) =>
  children ? (
    <div role="alert" className={classes.notice}>
      <IconAlertTriangle size={20} aria-hidden />
      <div className={classes.words}>{children}</div>
      {onRetry && (
        <Button variant="default" size="sm" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  ) : null

import { Button } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { isSecondTap } from '../lib/second-tap.ts'
import { FootBar } from './foot-bar.tsx'
import styles from './snackbar.module.css'
import kit from './kit.module.css'

const VISIBLE_MS = 8000

type Props = {
  name?: string | undefined
  children: ReactNode
  actionLabel: string
  onAction: () => void
  onDismiss: () => void
  extraAction?: ReactNode
}

let dismissCurrentSnackbar: (() => void) | undefined

/** A message that disappears after a few seconds. Its action must also be available elsewhere. */
export function Snackbar({ name, children, actionLabel, onAction, onDismiss, extraAction }: Props) {
  const bar = useRef<HTMLDivElement>(null)
  const latestOnDismiss = useRef(onDismiss)
  useEffect(() => {
    latestOnDismiss.current = onDismiss
  })
  useEffect(() => {
    dismissCurrentSnackbar?.()
    const dismiss = () => latestOnDismiss.current()
    dismissCurrentSnackbar = dismiss
    return () => {
      if (dismissCurrentSnackbar === dismiss) dismissCurrentSnackbar = undefined
    }
  }, [])
  useEffect(() => {
    // A bar that is hovered or focused stays until the next check.
    const timer = setInterval(() => {
      if (!bar.current?.matches(':hover, :focus-within')) latestOnDismiss.current()
    }, VISIBLE_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <FootBar place="undo">
      <div
        ref={bar}
        role="region"
        aria-label="Just done"
        className={`${kit.spread} ${styles.snackbar}`}
      >
        <p role="status" className={styles.text}>
          {name !== undefined && `${name} `}
          {children}
        </p>
        {extraAction}
        <Button
          variant="subtle"
          className={styles.action}
          onClick={() => isSecondTap() || onAction()}
        >
          {actionLabel}
        </Button>
      </div>
    </FootBar>
  )
}

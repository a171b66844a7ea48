import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentProps, MouseEvent } from 'react'
import styles from './busy-button.module.css'

type Props = ButtonProps &
  Omit<ComponentProps<'button'>, keyof ButtonProps> & { busy: boolean; busyLabel: string }

/** Ignores clicks while it is busy, but keeps the focus, which a disabled button would lose. */
export const BusyButton = ({
  busy,
  busyLabel,
  children,
  onClick,
  type = 'button',
  ...props
}: Props) => (
  <Button
    {...props}
    type={type}
    aria-disabled={busy || undefined}
    data-busy={busy || undefined}
    className={styles.button}
    onClick={(event: MouseEvent<HTMLButtonElement>) =>
      busy ? event.preventDefault() : onClick?.(event)
    }
  >
    <span className={styles.labels}>
      <span data-shown={!busy}>{children}</span>
      <span data-shown={busy} aria-live="polite">
        {busyLabel}
      </span>
    </span>
  </Button>
)

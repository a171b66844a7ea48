import { Stack, type StackProps } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { BusyButton } from './busy-button.tsx'
import { ErrorNotice } from './notices.tsx'
import { CancelButton, Sheet } from './sheet.tsx'
import styles from './sheet.module.css'

type Props = Pick<
  ComponentProps<typeof Sheet>,
  'title' | 'size' | 'isLocked' | 'isDirty' | 'onClose'
> & {
  onSubmit: NonNullable<ComponentProps<typeof Sheet>['onSubmit']>
  submitLabel: string
  busyLabel: string
  isReady?: boolean
  busy: boolean
  error?: ReactNode
  /** If true, Cancel discards the input without asking. The specification requires it for some
   *  forms. */
  cancelDiscards?: boolean
  extraAction?: ReactNode
  gap?: StackProps['gap']
  children: ReactNode
}

export const FormDialog = ({
  submitLabel,
  busyLabel,
  isReady = true,
  busy,
  error,
  cancelDiscards,
  extraAction,
  gap = 'md',
  children,
  ...sheet
}: Props) => (
  <Sheet
    {...sheet}
    opened
    busy={busy}
    actions={
      <>
        {error && (
          <div className={styles.error}>
            <ErrorNotice>{error}</ErrorNotice>
          </div>
        )}
        {extraAction}
        <CancelButton {...(cancelDiscards && { closesWithoutAsking: true })} />
        <BusyButton type="submit" busy={busy} busyLabel={busyLabel} disabled={!isReady}>
          {submitLabel}
        </BusyButton>
      </>
    }
  >
    <Stack gap={gap}>{children}</Stack>
  </Sheet>
)

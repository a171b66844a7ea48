import { Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { BusyButton } from './busy-button.tsx'
import { ErrorNotice } from './notices.tsx'
import { Sheet, CancelButton } from './sheet.tsx'

type Props = {
  title: string
  onClose: () => void
  button: 'Close' | 'OK'
  role?: 'alertdialog'
  children: ReactNode
}

export const MessageDialog = ({ button, onClose, ...props }: Props) => (
  <Sheet
    {...props}
    opened
    onClose={onClose}
    size="small"
    actions={
      <Button onClick={onClose} data-autofocus>
        {button}
      </Button>
    }
  />
)

type ConfirmProps = {
  opened: boolean
  onClose: () => void
  onConfirm: () => void
  title: string
  children: ReactNode
  confirmLabel: string
  busy: boolean
  busyLabel: string
  error?: string | null | undefined
  danger?: boolean
}

export const ConfirmDialog = ({
  opened,
  onClose,
  onConfirm,
  title,
  children,
  confirmLabel,
  busy,
  busyLabel,
  error,
  danger,
}: ConfirmProps) => (
  <Sheet
    opened={opened}
    onClose={onClose}
    title={title}
    size="small"
    role="alertdialog"
    busy={busy}
    actions={
      <>
        <CancelButton hasFocus />
        <BusyButton
          busy={busy}
          busyLabel={busyLabel}
          onClick={onConfirm}
          color={danger ? 'red' : 'violet'}
        >
          {confirmLabel}
        </BusyButton>
      </>
    }
  >
    <Stack gap="md">
      <div>{children}</div>
      <ErrorNotice>{error}</ErrorNotice>
    </Stack>
  </Sheet>
)

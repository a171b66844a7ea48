import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Sheet } from './sheet.tsx'

type Props = {
  title: string
  onClose: () => void
  button: 'Close' | 'OK'
  role?: 'alertdialog'
  children: ReactNode
}

/** Says something, and can only be closed. */
export const MessageDialog = ({ button, onClose, ...rest }: Props) => (
  <Sheet
    {...rest}
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

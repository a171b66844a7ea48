import { Button, type ButtonProps } from '@mantine/core'
import type { promotionsApi } from '@tatami/contract/belts/promotions'
import { type ReactNode, useState } from 'react'
import { progressProps } from '../lib/api.ts'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { useRankMutation } from './belts-data.ts'

type Props = ButtonProps & {
  endpoint: typeof promotionsApi.undo | typeof promotionsApi.undoBatch
  /** The id of the promotion or the batch. */
  id: string
  label: string
  title: string
  children: ReactNode
}

export function UndoButton({ endpoint, id, label, title, children, ...buttonProps }: Props) {
  const [isConfirming, setConfirming] = useState(false)
  const undo = useRankMutation(endpoint, { onSuccess: () => setConfirming(false) })
  return (
    <>
      <Button
        size="sm"
        aria-label={label}
        aria-haspopup="dialog"
        onClick={() => {
          undo.reset()
          setConfirming(true)
        }}
        {...buttonProps}
      >
        Undo
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => undo.mutate({ params: { id } })}
        title={title}
        confirmLabel="Undo"
        busyLabel="Undoing..."
        {...progressProps(undo, 'That couldn’t be undone. Please try again.')}
      >
        {children}
      </ConfirmDialog>
    </>
  )
}

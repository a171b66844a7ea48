import { Button, type ButtonProps } from '@mantine/core'
import type { promotionsApi } from '@tatami/contract/belts/promotions'
import { type ReactNode, useState } from 'react'
import { progressProps } from '../lib/api.ts'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { useRankMutation } from './belts-data.ts'

type Props = ButtonProps & {
  endpoint: typeof promotionsApi.undo | typeof promotionsApi.undoAct
  /** Of the promotion or the act. */
  id: string
  label: string
  title: string
  /** What will happen. */
  children: ReactNode
}

/** Undoes a promotion or a whole act, but asks first. */
export function UndoButton({ endpoint, id, label, title, children, ...look }: Props) {
  const [isAsking, setAsking] = useState(false)
  const undo = useRankMutation(endpoint, { onSuccess: () => setAsking(false) })
  return (
    <>
      <Button
        size="sm"
        aria-label={label}
        aria-haspopup="dialog"
        onClick={() => {
          undo.reset()
          setAsking(true)
        }}
        {...look}
      >
        Undo
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
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

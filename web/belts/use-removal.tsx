import { Button } from '@mantine/core'
import type { beltsApi } from '@tatami/contract/belts/belts'
import { useState } from 'react'
import { progressProps } from '../lib/api.ts'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { useRankMutation } from './belts-data.ts'

type Options = {
  endpoint: typeof beltsApi.removeLadder | typeof beltsApi.removeStyle
  id: string
  name: string
  consequences: string
  onRemoved: () => void
}

export function useRemoval({ endpoint, id, name, consequences, onRemoved }: Options) {
  const [isConfirming, setConfirming] = useState(false)
  const remove = useRankMutation(endpoint, { onSuccess: onRemoved })
  return {
    removeButton: (
      <Button variant="subtle" color="red" mr="auto" onClick={() => setConfirming(true)}>
        Remove
      </Button>
    ),
    removeDialog: isConfirming && (
      <ConfirmDialog
        opened
        danger
        title={`Remove ${name}?`}
        confirmLabel="Remove"
        busyLabel="Removing..."
        onClose={() => setConfirming(false)}
        onConfirm={() => remove.mutate({ params: { id } })}
        {...progressProps(remove, 'This could not be removed. Please try again.')}
      >
        {consequences}
      </ConfirmDialog>
    ),
  }
}

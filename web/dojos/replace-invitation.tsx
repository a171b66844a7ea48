import { useQueryClient } from '@tanstack/react-query'
import { dojosApi } from '@tatami/contract/dojos'
import { explain } from '../lib/api.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

export function ReplaceInvitation({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const cache = useQueryClient()
  const renew = useEndpointMutation(dojosApi.renewInvitation, {
    onSuccess: (invitation) => {
      cache.setQueryData(endpointQuery(dojosApi.invitation).queryKey, invitation)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() => renew.mutate()}
      title="Replace the invitation?"
      confirm="Replace"
      danger
      busy={renew.isPending}
      busyLabel="Replacing..."
      error={renew.isError ? explain(renew.error, 'Failed to replace the invitation') : null}
    >
      The old link and its QR code stop working at once, wherever you sent or printed them. Students who have joined stay.
    </ConfirmDialog>
  )
}

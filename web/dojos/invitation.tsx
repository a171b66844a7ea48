import { Button, Skeleton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { dashboardApi } from '@tatami/contract/dashboard/dashboard'
import { dojosApi } from '@tatami/contract/dojos/dojos'
import { useState } from 'react'
import { progressProps } from '../lib/api.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Sheet } from '../ui/sheet.tsx'
import styles from './invitation.module.css'

export function InvitationSheet({ onClose }: { onClose: () => void }) {
  const {
    data: invitation,
    isError,
    isFetching,
    refetch,
  } = useQuery(endpointQuery(dojosApi.invitation))
  const [isReplacing, setIsReplacing] = useState(false)
  const recordSharing = useEndpointMutation(dojosApi.recordSharing, {
    refreshes: [dashboardApi.stats],
  })
  return (
    <Sheet opened onClose={onClose} title="Invite students" size="small">
      <div className={styles.invitation}>
        <p>Anyone with this link can join your dojo as a trial student.</p>
        {isError && !isFetching && (
          <ErrorNotice onRetry={() => void refetch()}>
            The invitation could not be loaded.
          </ErrorNotice>
        )}
        {invitation ? (
          <CopyField
            label="Invitation link"
            value={invitation.link}
            onCopy={() => recordSharing.mutate()}
          />
        ) : (
          <Skeleton height="4.5rem" />
        )}
        {invitation ? (
          <img className={styles.qr} src={invitation.qr} alt="QR code for the invitation link" />
        ) : (
          <Skeleton className={styles.qr} />
        )}
        <Button
          variant="subtle"
          aria-haspopup="dialog"
          disabled={!invitation}
          onClick={() => setIsReplacing(true)}
        >
          Replace invitation
        </Button>
      </div>
      <ReplaceInvitation opened={isReplacing} onClose={() => setIsReplacing(false)} />
    </Sheet>
  )
}

function ReplaceInvitation({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const cache = useQueryClient()
  const replace = useEndpointMutation(dojosApi.renewInvitation, {
    onSuccess: (invitation) => {
      cache.setQueryData(endpointQuery(dojosApi.invitation).queryKey, invitation)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() => replace.mutate()}
      title="Replace the invitation?"
      confirmLabel="Replace"
      danger
      busyLabel="Replacing..."
      {...progressProps(replace, 'Failed to replace the invitation')}
    >
      The old link and QR code stop working right away. Students who have already joined stay.
    </ConfirmDialog>
  )
}

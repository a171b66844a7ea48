import { type Sensei, senseiApi } from '@tatami/contract/sensei'
import { pluralize } from '../lib/text.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Done } from '../ui/done.tsx'
import { MessageDialog } from '../ui/message-dialog.tsx'

type Props = {
  /** As it stood in the list when the dialog was opened, and as it stands now. */
  asked: Sensei
  now: Sensei | undefined
  onClose: () => void
  refresh: () => unknown
}

/** Switches an account on or off, after it was said what that does. */
export function StatusDialog({ asked, now, onClose, refresh }: Props) {
  const toggle = useEndpointMutation(senseiApi.toggleActive, { onSettled: () => void refresh() })
  // Without an answer the switch may have worked all the same; then the list knows.
  const changed = now && now.is_active !== asked.is_active ? now.is_active : undefined
  const isActive = toggle.data?.is_active ?? changed
  if (isActive !== undefined) {
    return (
      <MessageDialog title={asked.full_name} button="Close" onClose={onClose}>
        <Done>{isActive ? 'Sensei account activated successfully!' : 'Sensei account deactivated successfully!'}</Done>
      </MessageDialog>
    )
  }
  const people =
    asked.total_students > 0 ? `${asked.full_name} and the dojo's ${pluralize(asked.total_students, 'student')}` : asked.full_name
  const verb = asked.is_active ? 'Deactivate' : 'Activate'
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => toggle.mutate({ params: { id: asked.sensei_id } })}
      danger={asked.is_active}
      title={`${verb} ${asked.full_name}?`}
      confirm={verb}
      busy={toggle.isPending}
      busyLabel={asked.is_active ? 'Deactivating...' : 'Activating...'}
      error={toggle.isError ? 'Failed to update sensei status. Please try again.' : null}
    >
      {asked.is_active
        ? `This logs out ${people} at once. They cannot log in until you activate the account again. Nothing is deleted.`
        : `${people} can log in at once.`}
    </ConfirmDialog>
  )
}

import { type Sensei, senseiApi } from '@tatami/contract/sensei/sensei'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { pluralize } from '../lib/text.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { ConfirmDialog, MessageDialog } from '../ui/message-dialogs.tsx'
import { DoneNotice } from '../ui/notices.tsx'
import kit from '../ui/kit.module.css'

const UNTIL_ACTIVATED =
  'They cannot log in until you activate the account again. Nothing is deleted.'
const MAX_SEARCH_LENGTH = 100

type Props = {
  sensei: Sensei
  onClose: () => void
  refresh: () => unknown
}

export function StatusDialog({ sensei, onClose, refresh }: Props) {
  const [confirmedStatus, setConfirmedStatus] = useState<boolean>()
  // A request without a response may have worked, so this checks the current status.
  const checkStatus = async () => {
    const { sensei_list } = await call(senseiApi.list, {
      query: { search: sensei.email.slice(0, MAX_SEARCH_LENGTH) },
    })
    const currentSensei = sensei_list.find(({ sensei_id }) => sensei_id === sensei.sensei_id)
    if (currentSensei && currentSensei.is_active !== sensei.is_active)
      setConfirmedStatus(currentSensei.is_active)
  }
  const toggle = useEndpointMutation(senseiApi.toggleActive, {
    onSettled: () => void refresh(),
    onError: () => void checkStatus().catch(() => {}),
  })
  const isActive = toggle.data?.is_active ?? confirmedStatus
  if (isActive !== undefined)
    return (
      <ResultDialog
        sensei={sensei}
        isActive={isActive}
        isEmailed={toggle.data?.is_emailed}
        onClose={onClose}
      />
    )
  const affectedPeople =
    sensei.total_students > 0
      ? `${sensei.full_name} and the dojo's ${pluralize(sensei.total_students, 'student')}`
      : sensei.full_name
  const action = sensei.is_active ? 'Deactivate' : 'Activate'
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => toggle.mutate({ params: { id: sensei.sensei_id } })}
      danger={sensei.is_active}
      title={`${action} ${sensei.full_name}?`}
      confirmLabel={action}
      busy={toggle.isPending}
      busyLabel={sensei.is_active ? 'Deactivating...' : 'Activating...'}
      error={toggle.isError ? 'Failed to update sensei status. Please try again.' : null}
    >
      {sensei.is_active
        ? `This logs out ${affectedPeople} right away. ${UNTIL_ACTIVATED}`
        : `${affectedPeople} can log in right away.`}
    </ConfirmDialog>
  )
}

type ResultProps = {
  sensei: Sensei
  isActive: boolean
  /** Undefined if the response was lost. */
  isEmailed: boolean | undefined
  onClose: () => void
}

const ResultDialog = ({ sensei, isActive, isEmailed, onClose }: ResultProps) => (
  <MessageDialog title={sensei.full_name} button="Close" onClose={onClose}>
    <div className={kit.stack}>
      <DoneNotice>
        {isActive
          ? 'Sensei account activated successfully!'
          : 'Sensei account deactivated successfully!'}
      </DoneNotice>
      {isActive && isEmailed === true && <p>We emailed {sensei.email} that they can log in now.</p>}
      {isActive && isEmailed === false && (
        <p>Please tell {sensei.full_name}. This server can’t send email.</p>
      )}
    </div>
  </MessageDialog>
)

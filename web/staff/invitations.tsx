import { Button } from '@mantine/core'
import { staffApi } from '@tatami/contract/staff/staff'
import type { StaffInvitation } from '@tatami/contract/staff/staff-grants'
import {
  type SentStaffInvitation,
  staffInvitationsApi,
} from '@tatami/contract/staff/staff-invitations'
import { useState } from 'react'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage } from '../lib/api.ts'
import { formatTimeOrDate } from '../lib/dates.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { FramedList, FramedRow } from '../ui/framed-list.tsx'
import { Panel } from '../ui/panel.tsx'
import { describePreset } from './grant-form.ts'
import { SentInvitation } from './sent-invitation.tsx'

const REFRESH_OPTIONS = { refreshes: [staffApi.list] }

export function Invitations({ invitations }: { invitations: readonly StaffInvitation[] }) {
  const [sentInvitation, setSentInvitation] = useState<SentStaffInvitation | null>(null)
  if (invitations.length === 0 && !sentInvitation) return null
  return (
    <Panel title="Invited">
      <FramedList aria-label="Invited">
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} onSent={setSentInvitation} />
        ))}
      </FramedList>
      {sentInvitation && (
        <SentInvitation sentInvitation={sentInvitation} onClose={() => setSentInvitation(null)} />
      )}
    </Panel>
  )
}

type RowProps = {
  invitation: StaffInvitation
  onSent: (sentInvitation: SentStaffInvitation) => void
}

function InvitationRow({ invitation, onSent }: RowProps) {
  const { id, name, email, expires_at, is_expired } = invitation
  const params = { params: { id } }
  const renew = useEndpointMutation(staffInvitationsApi.renew, {
    ...REFRESH_OPTIONS,
    onSuccess: onSent,
    onError: (error) =>
      alertFailure(errorMessage(error, 'The invitation could not be sent. Please try again.')),
  })
  const cancel = useEndpointMutation(staffInvitationsApi.cancel, {
    ...REFRESH_OPTIONS,
    waitsForRefresh: true,
    onError: (error) =>
      alertFailure(errorMessage(error, 'The invitation could not be canceled. Please try again.')),
  })
  return (
    <FramedRow
      name={name}
      details={[
        [describePreset(invitation), email].filter(Boolean).join(' · '),
        is_expired
          ? 'The link has expired'
          : `The link works until ${formatTimeOrDate(expires_at)}`,
      ]}
    >
      <BusyButton
        variant="default"
        busy={renew.isPending}
        busyLabel="Creating a link..."
        aria-label={`New link for ${name}`}
        onClick={() => renew.mutate(params)}
      >
        New link
      </BusyButton>
      <Button
        variant="subtle"
        color="red"
        px="xs"
        disabled={cancel.isPending}
        aria-label={`Cancel the invitation of ${name}`}
        onClick={() => cancel.mutate(params)}
      >
        Cancel
      </Button>
    </FramedRow>
  )
}

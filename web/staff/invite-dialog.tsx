import { TextInput } from '@mantine/core'
import { staffApi } from '@tatami/contract/staff/staff'
import { staffInvitationForm } from '@tatami/contract/staff/staff-grants'
import { staffInvitationsApi } from '@tatami/contract/staff/staff-invitations'
import { firstName } from '@tatami/contract/lib/name-parts'
import { progressProps } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { StaffGrantFields } from './grant-fields.tsx'
import { type StaffGrantValues, newFormValues, toRequestBody } from './grant-form.ts'
import { SentInvitation } from './sent-invitation.tsx'
import { INVITE_DRAFT } from './staff.tsx'

type InvitationValues = StaffGrantValues & { name: string; email: string }

const toInvitationBody = ({ name, email, ...grant }: InvitationValues) => ({
  ...toRequestBody(grant),
  name,
  email: email || null,
})

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const form = useSchemaForm(
    staffInvitationForm,
    { name: '', email: '', ...newFormValues() },
    toInvitationBody,
  )
  useDraft(INVITE_DRAFT, form)
  const invite = useEndpointMutation(staffInvitationsApi.invite, {
    refreshes: [staffApi.list],
    onError: form.showRefusal,
  })
  if (invite.data) return <SentInvitation sentInvitation={invite.data} onClose={onClose} />
  return (
    <FormDialog
      title="Invite to the staff"
      onClose={onClose}
      isDirty={form.isDirty()}
      onSubmit={form.send((body) => invite.isPending || invite.mutate({ body }))}
      {...progressProps(invite, 'The invitation could not be created. Please try again.')}
      submitLabel="Invite"
      busyLabel="Inviting..."
    >
      <TextInput
        {...form.getInputProps('name')}
        label="Name"
        required
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        {...form.getInputProps('email')}
        type="email"
        label="Email"
        description="Optional. You also get a link to send yourself"
        autoComplete="off"
      />
      <StaffGrantFields
        values={form.values}
        errors={form.errors}
        nameInSentence={firstName(form.values.name) || 'this person'}
        onChange={form.setValues}
      />
    </FormDialog>
  )
}

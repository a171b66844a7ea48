import { Checkbox, TextInput } from '@mantine/core'
import { firstName } from '@tatami/contract/lib/name-parts'
import { type StaffPerson, staffApi } from '@tatami/contract/staff/staff'
import { useState } from 'react'
import { PasswordField } from '../accounts/password-field.tsx'
import { SERVER_CHECKED_SCHEMA, serverCheckedProgress } from '../accounts/server-checked-form.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'

type Props = { person: StaffPerson; onClose: () => void }

/** Makes or removes an owner. Asks for the password, because owners have every right. */
export function OwnershipDialog({ person: { id, name, is_owner }, onClose }: Props) {
  const makesOwner = !is_owner
  const [handsOver, setHandsOver] = useState(false)
  const form = useSchemaForm(SERVER_CHECKED_SCHEMA, { current_password: '', code: '' })
  const change = useEndpointMutation(makesOwner ? staffApi.makeOwner : staffApi.removeOwner, {
    refreshes: [staffApi.list],
    onSuccess: () => (handsOver ? location.assign('/dashboard') : onClose()),
    onError: form.showRefusal,
  })
  const send = ({ current_password, code }: { current_password: string; code: string }) =>
    change.mutate({
      params: { id },
      body: {
        current_password,
        code: code || undefined,
        ...(makesOwner && { hands_over: handsOver }),
      },
    })
  return (
    <FormDialog
      title={makesOwner ? `Make ${name} an owner` : `${name}: no longer an owner`}
      size="small"
      onClose={onClose}
      onSubmit={form.send((body) => change.isPending || send(body))}
      {...serverCheckedProgress(form, change, 'That could not be saved. Please try again.')}
      submitLabel={makesOwner ? 'Make an owner' : 'Confirm'}
      busyLabel="Saving..."
    >
      <p>
        {makesOwner
          ? `${firstName(name)} can then do everything, and also change who works here. All owners get an email.`
          : `${firstName(name)} becomes an instructor. All owners get an email.`}
      </p>
      {makesOwner && (
        <Checkbox
          size="md"
          label="Hand over the school and become an instructor"
          checked={handsOver}
          onChange={({ currentTarget }) => setHandsOver(currentTarget.checked)}
        />
      )}
      <PasswordField
        {...form.getInputProps('current_password')}
        label="Your password"
        autoComplete="current-password"
      />
      <TextInput
        {...form.getInputProps('code')}
        label="Code"
        description="Only if you use an authenticator app: its code, or a recovery code"
        autoComplete="one-time-code"
      />
    </FormDialog>
  )
}

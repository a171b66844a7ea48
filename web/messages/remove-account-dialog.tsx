import { type TextingSetup, textingAccountApi } from '@tatami/contract/texting/texting-account'
import { useState } from 'react'
import { PasswordField } from '../accounts/password-field.tsx'
import { SERVER_CHECKED_SCHEMA, serverCheckedProgress } from '../accounts/server-checked-form.ts'
import { serverErrors, useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { SERVICE_CALLS } from '../texting/text-service.ts'
import { FormDialog } from '../ui/form-dialog.tsx'

const CONSEQUENCES: Record<TextingSetup['server_service'], string> = {
  twilio_sms: 'Your texts will go out through this server’s account, from another number.',
  simulator: 'No text will leave this server until you connect an account again.',
  none: 'Your texts will wait until you connect an account again.',
}

type Props = { service: TextingSetup['server_service']; onClose: () => void }

export function RemoveAccountDialog({ service, onClose }: Props) {
  const [needsPassword, setNeedsPassword] = useState(false)
  const form = useSchemaForm(SERVER_CHECKED_SCHEMA, { current_password: '' })
  const remove = useEndpointMutation(textingAccountApi.remove, {
    refreshes: SERVICE_CALLS,
    onSuccess: onClose,
    onError: (error) => {
      if ('current_password' in serverErrors(error)) setNeedsPassword(true)
      form.showRefusal(error)
    },
  })
  return (
    <FormDialog
      title="Remove the Twilio account"
      size="small"
      onClose={onClose}
      onSubmit={form.send((body) => remove.isPending || remove.mutate({ body }))}
      {...serverCheckedProgress(
        form,
        remove,
        'The account could not be removed. Please try again.',
      )}
      submitLabel="Remove"
      busyLabel="Removing..."
    >
      <p>{CONSEQUENCES[service]} Replies to your old number will no longer reach your inbox.</p>
      {needsPassword && (
        <PasswordField
          {...form.getInputProps('current_password')}
          label="Your Tatami password"
          autoComplete="current-password"
        />
      )}
    </FormDialog>
  )
}

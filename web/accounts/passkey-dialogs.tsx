import { Text, TextInput } from '@mantine/core'
import { type Passkey, signInApi } from '@tatami/contract/accounts/sign-in'
import { useState } from 'react'
import { PasswordField } from './password-field.tsx'
import { progressProps } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { RecoveryCodesSheet } from './recovery-codes.tsx'
import {
  hasFieldError,
  SERVER_CHECKED_SCHEMA,
  serverCheckedProgress,
} from './server-checked-form.ts'
import { guessDeviceName, describePasskeyError, useAddPasskey } from './use-add-passkey.ts'

export function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<string[]>()
  const form = useSchemaForm(SERVER_CHECKED_SCHEMA, {
    name: guessDeviceName(),
    current_password: '',
  })
  const add = useAddPasskey({
    onSuccess: ({ recovery_codes }) =>
      recovery_codes.length > 0 ? setCodes(recovery_codes) : onClose(),
    onError: form.showRefusal,
  })
  if (codes) return <RecoveryCodesSheet title="Recovery codes" codes={codes} onClose={onClose} />
  return (
    <FormDialog
      title="Add a passkey"
      size="small"
      onClose={onClose}
      onSubmit={form.send((values) => add.isPending || add.mutate(values))}
      busy={add.isPending}
      error={add.isError && !hasFieldError(form) && describePasskeyError(add.error)}
      submitLabel="Add"
      busyLabel="Waiting for your device..."
    >
      <Text>
        Your device will ask for your fingerprint, face or PIN. After that, you can use it to log
        in.
      </Text>
      <TextInput
        {...form.getInputProps('name')}
        label="Name"
        description="Helps you tell your devices apart"
        maxLength={60}
      />
      <PasswordField
        {...form.getInputProps('current_password')}
        label="Your password"
        autoComplete="current-password"
      />
    </FormDialog>
  )
}

type PasskeyProps = { passkey: Passkey; onClose: () => void }

export function RenamePasskeyDialog({ passkey: { id, name }, onClose }: PasskeyProps) {
  const form = useSchemaForm(SERVER_CHECKED_SCHEMA, { name })
  const rename = useEndpointMutation(signInApi.renamePasskey, {
    refreshes: [signInApi.methods],
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title="Rename passkey"
      size="small"
      onClose={onClose}
      onSubmit={form.send((body) => rename.isPending || rename.mutate({ params: { id }, body }))}
      {...serverCheckedProgress(
        form,
        rename,
        'The passkey could not be renamed. Please try again.',
      )}
      isDirty={form.isDirty()}
      submitLabel="Rename"
      busyLabel="Renaming..."
    >
      <TextInput {...form.getInputProps('name')} label="Name" maxLength={60} />
    </FormDialog>
  )
}

export function RemovePasskeyDialog({ passkey: { id, name }, onClose }: PasskeyProps) {
  const remove = useEndpointMutation(signInApi.removePasskey, {
    refreshes: [signInApi.methods],
    onSuccess: onClose,
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => remove.mutate({ params: { id } })}
      title="Remove this passkey?"
      confirmLabel="Remove"
      busyLabel="Removing..."
      {...progressProps(remove, 'The passkey could not be removed. Please try again.')}
      danger
    >
      You won’t be able to log in with {name} anymore. Remove it from your device’s password
      settings, too.
    </ConfirmDialog>
  )
}

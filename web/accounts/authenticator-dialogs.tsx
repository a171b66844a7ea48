import { Text } from '@mantine/core'
import { signInApi } from '@tatami/contract/accounts/sign-in'
import { useState } from 'react'
import { PasswordField } from './password-field.tsx'
import { errorMessage } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { AuthenticatorFields, useAuthenticatorSetUp } from './authenticator-set-up.tsx'
import { RecoveryCodesSheet } from './recovery-codes.tsx'
import {
  hasFieldError,
  SERVER_CHECKED_SCHEMA,
  serverCheckedProgress,
} from './server-checked-form.ts'

type DialogProps = { onClose: () => void }
const EMPTY_PASSWORD_FORM = { current_password: '' }

type CurrentPasswordProps = { form: { getInputProps: (name: 'current_password') => object } }

const CurrentPasswordField = ({ form }: CurrentPasswordProps) => (
  <PasswordField
    {...form.getInputProps('current_password')}
    label="Your password"
    autoComplete="current-password"
  />
)

export function SetUpDialog({ onClose }: DialogProps) {
  const [codes, setCodes] = useState<string[]>()
  const setUp = useAuthenticatorSetUp(setCodes)
  const { start } = setUp
  const form = useSchemaForm(SERVER_CHECKED_SCHEMA, EMPTY_PASSWORD_FORM)
  const title = 'Authenticator app'
  if (codes) return <RecoveryCodesSheet title={title} codes={codes} onClose={onClose} />
  if (start.data)
    return (
      <FormDialog
        key="code"
        title={title}
        size="small"
        onClose={onClose}
        {...setUp.submission}
        submitLabel="Turn on"
        busyLabel="Checking..."
      >
        <AuthenticatorFields setUp={setUp} secret={start.data} />
      </FormDialog>
    )
  return (
    <FormDialog
      key="password"
      title={title}
      size="small"
      onClose={onClose}
      onSubmit={form.send(
        (body) => start.isPending || start.mutate({ body }, { onError: form.showRefusal }),
      )}
      busy={start.isPending}
      error={
        start.isError &&
        !hasFieldError(form) &&
        errorMessage(start.error, 'The app could not be set up. Please try again.')
      }
      submitLabel="Next"
      busyLabel="Checking..."
    >
      <CurrentPasswordField form={form} />
    </FormDialog>
  )
}

export function NewCodesDialog({ onClose }: DialogProps) {
  const form = useSchemaForm(SERVER_CHECKED_SCHEMA, EMPTY_PASSWORD_FORM)
  const renew = useEndpointMutation(signInApi.renewRecoveryCodes, {
    refreshes: [signInApi.methods],
    onError: form.showRefusal,
  })
  const title = 'New recovery codes'
  if (renew.data)
    return <RecoveryCodesSheet title={title} codes={renew.data.recovery_codes} onClose={onClose} />
  return (
    <FormDialog
      title={title}
      size="small"
      onClose={onClose}
      onSubmit={form.send((body) => renew.isPending || renew.mutate({ body }))}
      {...serverCheckedProgress(form, renew, 'The codes could not be created. Please try again.')}
      submitLabel="Create new codes"
      busyLabel="Creating codes..."
    >
      <Text>You get ten new codes. Your old codes stop working.</Text>
      <CurrentPasswordField form={form} />
    </FormDialog>
  )
}

export function SwitchOffDialog({ onClose }: DialogProps) {
  const form = useSchemaForm(SERVER_CHECKED_SCHEMA, EMPTY_PASSWORD_FORM)
  const remove = useEndpointMutation(signInApi.removeAuthenticator, {
    refreshes: [signInApi.methods],
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title="Turn off the authenticator app"
      size="small"
      onClose={onClose}
      onSubmit={form.send((body) => remove.isPending || remove.mutate({ body }))}
      {...serverCheckedProgress(form, remove, 'The app could not be turned off. Please try again.')}
      submitLabel="Turn off"
      busyLabel="Turning off..."
    >
      <Text>
        You will log in with your password alone, and your recovery codes will stop working.
      </Text>
      <CurrentPasswordField form={form} />
    </FormDialog>
  )
}

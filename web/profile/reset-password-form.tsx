import { Stack } from '@mantine/core'
import { chosenPassword, profileApi } from '@tatami/contract/profile'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { PasswordField } from '../accounts/password-field.tsx'
import { errorMessage } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'

type Props = { secret: string; onDone: () => void; takesFocus?: boolean }

/** `secret` is what the e-mailed link brought; it works once. With `takesFocus` it follows a button that is gone. */
export function ResetPasswordForm({ secret, onDone, takesFocus = false }: Props) {
  const form = useSchemaForm(chosenPassword, { new_password: '' }, (values) => ({ ...values, reset_token: secret }))
  const choose = useEndpointMutation(profileApi.choosePassword, { onSuccess: onDone, onError: form.showRefusal })
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (takesFocus) field.current?.focus()
  }, [takesFocus])
  return (
    <form noValidate onSubmit={form.send((body) => choose.isPending || choose.mutate({ body }))}>
      <Stack gap="md">
        <PasswordField
          {...form.getInputProps('new_password')}
          ref={field}
          label="New password"
          description="At least 8 characters"
          autoComplete="new-password"
        />
        <ErrorNotice>{choose.error && errorMessage(choose.error, 'The password could not be set. Please try again.')}</ErrorNotice>
        <BusyButton type="submit" fullWidth busy={choose.isPending} busyLabel="Saving...">
          Set password
        </BusyButton>
      </Stack>
    </form>
  )
}

/** What stands after '#' in the link that was opened. It is taken out of the address bar and the history at once. */
export function useLinkSecret(): string {
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  const [secret, setSecret] = useState('')
  const inLink = hash.slice(1)
  if (inLink && inLink !== secret) setSecret(inLink)
  useEffect(() => {
    if (inLink) void navigate(pathname, { replace: true })
  }, [inLink, navigate, pathname])
  return secret
}

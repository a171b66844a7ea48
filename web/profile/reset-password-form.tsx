import { Stack } from '@mantine/core'
import { chosenPassword, profileApi } from '@tatami/contract/profile'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { PasswordField } from '../accounts/password-field.tsx'
import { errorMessage } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'

type Props = { secret: string; onDone: () => void; focusesField?: boolean }

/** `secret` is the single-use token of the emailed link. `focusesField` moves the focus here when the form replaces a focused button. */
export function ResetPasswordForm({ secret, onDone, focusesField = false }: Props) {
  const form = useSchemaForm(chosenPassword, { new_password: '' }, (values) => ({ ...values, reset_token: secret }))
  const choose = useEndpointMutation(profileApi.choosePassword, { onSuccess: onDone, onError: form.showRefusal })
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focusesField) field.current?.focus()
  }, [focusesField])
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

/** The URL fragment of the opened link, which is removed from the address bar and the history at once. */
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

import { chosenPassword, profileApi } from '@tatami/contract/profile/profile'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { failureMessage } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { ChoosePasswordForm } from '../accounts/choose-password-form.tsx'

type Props = {
  secret: string
  onDone: () => void
  /** True if the form replaces a button that had the focus. */
  hasFocus?: boolean
}

export function ResetPasswordForm({ secret, onDone, hasFocus = false }: Props) {
  const form = useSchemaForm(chosenPassword, { new_password: '' }, (values) => ({
    ...values,
    reset_token: secret,
  }))
  const choose = useEndpointMutation(profileApi.choosePassword, {
    onSuccess: onDone,
    onError: form.showRefusal,
  })
  const passwordInput = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (hasFocus) passwordInput.current?.focus()
  }, [hasFocus])
  return (
    <ChoosePasswordForm
      onSubmit={form.send((body) => choose.isPending || choose.mutate({ body }))}
      label="New password"
      inputProps={form.getInputProps('new_password')}
      inputRef={passwordInput}
      busy={choose.isPending}
      error={failureMessage(choose, 'The password could not be set. Please try again.')}
      submitLabel="Set password"
      busyLabel="Saving..."
    />
  )
}

/** Reads the secret of the link that opened the page, and removes it from the URL. */
export function useLinkSecret(): string {
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  const [secret, setSecret] = useState('')
  const secretInUrl = hash.slice(1)
  if (secretInUrl && secretInUrl !== secret) setSecret(secretInUrl)
  useEffect(() => {
    if (secretInUrl) void navigate(pathname, { replace: true })
  }, [secretInUrl, navigate, pathname])
  return secret
}

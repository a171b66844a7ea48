import { chosenPassword, profileApi } from '@tatami/contract/profile/profile'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { failureMessage } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { ChoosePasswordForm } from '../accounts/choose-password-form.tsx'

type Props = { secret: string; onDone: () => void; focusesField?: boolean }

/** `focusesField` is for a form that replaces a focused button. */
export function ResetPasswordForm({ secret, onDone, focusesField = false }: Props) {
  const form = useSchemaForm(chosenPassword, { new_password: '' }, (values) => ({
    ...values,
    reset_token: secret,
  }))
  const choose = useEndpointMutation(profileApi.choosePassword, {
    onSuccess: onDone,
    onError: form.showRefusal,
  })
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focusesField) field.current?.focus()
  }, [focusesField])
  return (
    <ChoosePasswordForm
      onSubmit={form.send((body) => choose.isPending || choose.mutate({ body }))}
      label="New password"
      field={form.getInputProps('new_password')}
      fieldRef={field}
      busy={choose.isPending}
      error={failureMessage(choose, 'The password could not be set. Please try again.')}
      submit="Set password"
      submitting="Saving..."
    />
  )
}

/** The secret in the link's fragment, which is removed from the address at once. */
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

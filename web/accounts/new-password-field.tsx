import { PASSWORD_MIN } from '@tatami/contract/accounts/accounts'
import { isPersonalPassword, passwordsApi } from '@tatami/contract/accounts/passwords'
import { type ComponentProps, useEffect, useState } from 'react'
import { call } from '../lib/api.ts'
import { PasswordField } from './password-field.tsx'

/** The user's name and email. Passwords that resemble them are easy to guess. */
type OwnNames = readonly (string | null | undefined)[]
type Props = Omit<ComponentProps<typeof PasswordField>, 'autoComplete'> & {
  ownNames?: OwnNames
}

export function NewPasswordField({ ownNames = [], description, ...props }: Props) {
  const advice = usePasswordAdvice(String(props.value ?? ''), ownNames)
  return (
    <PasswordField
      {...props}
      autoComplete="new-password"
      description={<span role="status">{advice ?? description}</span>}
    />
  )
}

const TYPING_PAUSE_MS = 400

function usePasswordAdvice(password: string, ownNames: OwnNames): string | null {
  const [commonPassword, setCommonPassword] = useState<string>()
  const isLongEnough = password.length >= PASSWORD_MIN
  useEffect(() => {
    if (!isLongEnough) return undefined
    const timer = setTimeout(() => {
      // If this fails, there is no warning. The server checks the password again when it is saved.
      call(passwordsApi.check, { body: { password } }).then(
        ({ is_common }) => is_common && setCommonPassword(password),
        () => undefined,
      )
    }, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [password, isLongEnough])
  if (!isLongEnough) return null
  if (password === commonPassword) return 'Easy to guess: many people use this password.'
  if (isPersonalPassword(password, ownNames))
    return 'Easy to guess: it is close to the name or email.'
  return null
}

import { Stack, Text, TextInput } from '@mantine/core'
import { signInApi } from '@tatami/contract/accounts/sign-in'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { errorMessage } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { CopyField } from '../ui/copy-field.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import styles from './sign-in.module.css'
import { SERVER_CHECKED_SCHEMA, serverCheckedProgress } from './server-checked-form.ts'

type ScannableSecret = { secret: string; qr: string }

export function useAuthenticatorSetUp(onConfirmed: (codes: string[]) => void) {
  const form = useSchemaForm(SERVER_CHECKED_SCHEMA, { code: '' })
  const start = useEndpointMutation(signInApi.startAuthenticator)
  const confirm = useEndpointMutation(signInApi.confirmAuthenticator, {
    refreshes: [signInApi.methods],
    onSuccess: ({ recovery_codes }) => onConfirmed(recovery_codes),
    onError: form.showRefusal,
  })
  const failureText = 'The app could not be turned on. Please try again.'
  return {
    form,
    start,
    submission: {
      onSubmit: form.send((body) => confirm.isPending || confirm.mutate({ body })),
      ...serverCheckedProgress(form, confirm, failureText),
    },
  }
}

type FieldsProps = { setUp: ReturnType<typeof useAuthenticatorSetUp>; secret: ScannableSecret }

export const AuthenticatorFields = ({ setUp, secret: { secret, qr } }: FieldsProps) => (
  <Stack gap="md">
    <Text>Scan this code with an authenticator app, then enter the six digits it shows.</Text>
    <img
      src={qr}
      alt="QR code for your authenticator app"
      width={224}
      height={224}
      className={styles.qr}
    />
    <CopyField label="Or enter this key" value={secret} />
    <TextInput
      {...setUp.form.getInputProps('code')}
      label="Code"
      description="Six digits that change every 30 seconds"
      inputMode="numeric"
      autoComplete="one-time-code"
      data-autofocus
    />
  </Stack>
)

type Props = { setUp: FieldsProps['setUp']; children: ReactNode }

/** Starts immediately, because the server does not ask for the password right after a login. */
export function AuthenticatorSetUp({ setUp, children }: Props) {
  const { start } = setUp
  const startOnMount = useEffectEvent(() => start.mutate({ body: {} }))
  useEffect(() => startOnMount(), [])
  if (start.isError)
    return (
      <ErrorNotice>
        {errorMessage(start.error, 'The app could not be set up. Please log in again and retry.')}
      </ErrorNotice>
    )
  if (!start.data) return <SkeletonBlock height="20rem">Loading...</SkeletonBlock>
  return (
    <form noValidate onSubmit={setUp.submission.onSubmit}>
      <Stack gap="md">
        <AuthenticatorFields setUp={setUp} secret={start.data} />
        <ErrorNotice>{setUp.submission.error}</ErrorNotice>
        {children}
      </Stack>
    </form>
  )
}

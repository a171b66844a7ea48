import { Button, Stack, Text } from '@mantine/core'
import type { Reply } from '@tatami/contract/lib/endpoint'
import { profileApi, recovery } from '@tatami/contract/profile/profile'
import { useState } from 'react'
import { EmailField } from '../accounts/email-field.tsx'
import { ApiError, errorMessage } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { DoneNotice, ErrorNotice } from '../ui/notices.tsx'
import styles from './recover-account-page.module.css'
import { ResetPasswordForm, useLinkSecret } from './reset-password-form.tsx'
import { VisitorPage } from '../accounts/visitor-page.tsx'

/** The account is recovered only by the button, because mail scanners also open links. */
export function RecoverAccountPage() {
  const secret = useLinkSecret()
  const [recoveredAccount, setRecoveredAccount] = useState<RecoveredAccount | null>(null)
  const [isDone, setDone] = useState(false)
  return (
    <VisitorPage title="Recover your account">
      <Stack gap="md">
        {isDone && (
          <DoneNotice>
            Your new password is set. Log in with it, here and on your other devices.
          </DoneNotice>
        )}
        {!isDone && recoveredAccount && (
          <>
            <DoneNotice>
              The account is yours again. You log in as {recoveredAccount.email}.
            </DoneNotice>
            {recoveredAccount.guardian_log_ins.length > 0 && (
              <Text>
                Guardian logins created since then: {recoveredAccount.guardian_log_ins.join(', ')}.
                Check them under Families.
              </Text>
            )}
            {recoveredAccount.student_log_ins.length > 0 && (
              <Text>
                Student logins created since then: {recoveredAccount.student_log_ins.join(', ')}.
                You can end them on the student’s page.
              </Text>
            )}
            <Text>The password that was set no longer works. Choose a new one now.</Text>
            <ResetPasswordForm
              hasFocus
              secret={recoveredAccount.reset_token}
              onDone={() => setDone(true)}
            />
          </>
        )}
        {!recoveredAccount && secret && (
          <RecoveryForm key={secret} secret={secret} onRecovered={setRecoveredAccount} />
        )}
        {!recoveredAccount && !secret && (
          <ErrorNotice>Please open the link in your email again.</ErrorNotice>
        )}
        {(isDone || !recoveredAccount) && (
          <Button component="a" href="/login" variant={isDone ? 'filled' : 'subtle'} fullWidth>
            Go to login
          </Button>
        )}
      </Stack>
    </VisitorPage>
  )
}

type RecoveredAccount = Reply<typeof profileApi.recover>

const isEmailTaken = (error: unknown) => error instanceof ApiError && error.status === 409

type RecoveryFormProps = { secret: string; onRecovered: (account: RecoveredAccount) => void }

function RecoveryForm({ secret, onRecovered }: RecoveryFormProps) {
  const [needsEmail, setNeedsEmail] = useState(false)
  const form = useSchemaForm(recovery, { email: '' }, ({ email }) => ({
    email,
    recovery_token: secret,
  }))
  const recover = useEndpointMutation(profileApi.recover, {
    onSuccess: onRecovered,
    onError: (error) => {
      if (isEmailTaken(error)) setNeedsEmail(true)
      form.showRefusal(error)
    },
  })
  const errorText =
    isEmailTaken(recover.error) && recover.variables?.body.email === ''
      ? 'Another account now uses your old email. Choose another email to log in with.'
      : errorMessage(recover.error, 'The account could not be recovered. Please try again.')
  return (
    <form noValidate onSubmit={form.send((body) => recover.isPending || recover.mutate({ body }))}>
      <Stack gap="md">
        <Text>
          The email or password of your account was changed. If it wasn’t you, recover it now:
        </Text>
        <ul className={styles.effects}>
          <li>You log in with your old email again.</li>
          <li>The current password stops working.</li>
          <li>All devices are logged out.</li>
          <li>Then you choose a new password.</li>
        </ul>
        {needsEmail && (
          <EmailField
            {...form.getInputProps('email')}
            label="Email to log in with"
            autoComplete="email"
          />
        )}
        <ErrorNotice>{recover.isError && errorText}</ErrorNotice>
        <BusyButton type="submit" fullWidth busy={recover.isPending} busyLabel="Recovering...">
          Recover my account
        </BusyButton>
      </Stack>
    </form>
  )
}

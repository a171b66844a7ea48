import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { DoneNotice, ErrorNotice } from '../ui/notices.tsx'
import { ResetPasswordForm, useLinkSecret } from './reset-password-form.tsx'
import { VisitorPage } from '../accounts/visitor-page.tsx'

export function ResetPasswordPage() {
  const secret = useLinkSecret()
  const [isDone, setDone] = useState(false)
  return (
    <VisitorPage title="Choose a new password">
      <Stack gap="md">
        {isDone && (
          <DoneNotice>
            Your new password is set. Log in with it, here and on your other devices.
          </DoneNotice>
        )}
        {!isDone && secret && (
          <ResetPasswordForm key={secret} secret={secret} onDone={() => setDone(true)} />
        )}
        {!isDone && !secret && <ErrorNotice>Please open the link in your email again.</ErrorNotice>}
        <Button component="a" href="/login" variant={isDone ? 'filled' : 'subtle'} fullWidth>
          Go to login
        </Button>
      </Stack>
    </VisitorPage>
  )
}

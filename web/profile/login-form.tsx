import { Stack } from '@mantine/core'
import { credentials } from '@tatami/contract/accounts'
import { profileApi } from '@tatami/contract/profile'
import { EmailField } from '../accounts/email-field.tsx'
import { PasswordField } from '../accounts/password-field.tsx'
import { explain } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { ForgotPassword } from './forgot-password.tsx'
import { InstructorSetup } from './instructor-setup.tsx'
import classes from './login-form.module.css'
import { useEntry } from './use-entry.ts'

/** Signs in, with the ways for those who cannot yet. */
export function LoginForm({ onDone }: { onDone?: () => void }) {
  const form = useSchemaForm(credentials, { email: '', password: '' })
  const enter = useEntry()
  const login = useEndpointMutation(profileApi.login, {
    onSuccess: (answer) => {
      onDone?.()
      enter(answer)
    },
  })
  return (
    <>
      <form noValidate onSubmit={form.send((body) => login.mutate({ body }))}>
        <Stack gap="md">
          <EmailField {...form.getInputProps('email')} description="Enter your email in lowercase" name="email" />
          <PasswordField {...form.getInputProps('password')} label="Password" name="password" autoComplete="current-password" />
          <ErrorNotice>{login.error && explain(login.error, 'Login failed')}</ErrorNotice>
          <BusyButton type="submit" fullWidth busy={login.isPending} busyLabel="Logging in...">
            Login
          </BusyButton>
        </Stack>
      </form>
      <div className={classes.links}>
        <InstructorSetup />
        <ForgotPassword />
      </div>
    </>
  )
}

import { Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { credentials } from '@tatami/contract/accounts'
import { profileApi } from '@tatami/contract/profile'
import { PasswordField } from '../accounts/password-field.tsx'
import { explain } from '../kernel/api.ts'
import { useSchemaForm } from '../kernel/form.ts'
import { endpointQuery, useEndpointMutation } from '../kernel/query.ts'
import { session } from '../kernel/session.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { ForgotPassword } from './forgot-password.tsx'
import { InstructorSetup } from './instructor-setup.tsx'
import classes from './login-form.module.css'

/** Signs in. Where that leads is for those who watch the session. */
export function LoginForm({ onDone }: { onDone?: () => void }) {
  const form = useSchemaForm(credentials, { email: '', password: '' })
  const cache = useQueryClient()
  const login = useEndpointMutation(profileApi.login, {
    onSuccess: ({ token, user }) => {
      // Nothing that an earlier person saw in this tab.
      cache.removeQueries()
      cache.setQueryData(endpointQuery(profileApi.show).queryKey, user)
      onDone?.()
      session.start(token)
    },
  })
  return (
    <>
      <form noValidate onSubmit={form.send((body) => login.mutate({ body }))}>
        <Stack gap="md">
          <TextInput {...form.getInputProps('email')} label="Email" description="Enter your email in lowercase" type="email" name="email"
            autoComplete="username" autoCapitalize="none" autoCorrect="off" spellCheck={false} />
          <PasswordField {...form.getInputProps('password')} label="Password" name="password" autoComplete="current-password" />
          <ErrorNotice>{login.error && explain(login.error, 'Login failed')}</ErrorNotice>
          <BusyButton type="submit" fullWidth busy={login.isPending} busyLabel="Logging in...">Login</BusyButton>
        </Stack>
      </form>
      <div className={classes.links}>
        <InstructorSetup />
        <ForgotPassword />
      </div>
    </>
  )
}

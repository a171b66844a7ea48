import { Anchor, Stack } from '@mantine/core'
import { credentials } from '@tatami/contract/accounts'
import { profileApi } from '@tatami/contract/profile'
import { useState } from 'react'
import { EmailField } from '../accounts/email-field.tsx'
import { PasswordField } from '../accounts/password-field.tsx'
import { errorMessage } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import styles from './login-form.module.css'
import { useSignIn } from './use-sign-in.ts'

/** The login form, with links to register and to reset a password. */
export function LoginForm({ onDone }: { onDone?: () => void }) {
  const form = useSchemaForm(credentials, { email: '', password: '' })
  const signIn = useSignIn()
  const login = useEndpointMutation(profileApi.login, {
    onSuccess: (answer) => {
      onDone?.()
      signIn(answer)
    },
  })
  return (
    <>
      <form noValidate onSubmit={form.send((body) => login.mutate({ body }))}>
        <Stack gap="md">
          <EmailField {...form.getInputProps('email')} description="Enter your email in lowercase" name="email" />
          <PasswordField {...form.getInputProps('password')} label="Password" name="password" autoComplete="current-password" />
          <ErrorNotice>{login.error && errorMessage(login.error, 'Login failed')}</ErrorNotice>
          <BusyButton type="submit" fullWidth busy={login.isPending} busyLabel="Logging in...">
            Login
          </BusyButton>
        </Stack>
      </form>
      <div className={styles.links}>
        <InstructorSetup />
        <ForgotPassword />
      </div>
    </>
  )
}

const ForgotPasswordDialog = lazyComponent(
  () => import('./forgot-password-dialog.tsx').then((part) => part.ForgotPasswordDialog),
  <Skeletons count={0} label="Loading the form..." />,
)

const FORGOT_PASSWORD = 'Forgot Password'

/** A real reset where a mail server is set; otherwise the specification's alert (product.md, section 2). */
function ForgotPassword() {
  const [opened, setOpened] = useState(false)
  const options = useEndpointMutation(profileApi.signInOptions, {
    onSuccess: ({ password_reset }) => (password_reset ? setOpened(true) : window.alert('Forgot Password - Feature coming soon!')),
  })
  return (
    <>
      <Anchor component="button" type="button" aria-busy={options.isPending} onClick={() => options.isPending || options.mutate()}>
        {FORGOT_PASSWORD}
      </Anchor>
      {options.isError && (
        <div className={styles.error}>
          <ErrorNotice>The server did not answer. Please try again.</ErrorNotice>
        </div>
      )}
      {opened && <ForgotPasswordDialog title={FORGOT_PASSWORD} onClose={() => setOpened(false)} />}
    </>
  )
}

const RegistrationDialog = lazyComponent(
  () => import('../sensei/registration-dialog.tsx').then((part) => part.RegistrationDialog),
  <Skeletons count={0} label="Loading the form..." />,
)

const INSTRUCTOR_SETUP = 'New Instructor Setup'

/** Opens the registration of a new sensei. */
function InstructorSetup() {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Anchor
        component="button"
        type="button"
        aria-haspopup="dialog"
        onPointerEnter={RegistrationDialog.preload}
        onFocus={RegistrationDialog.preload}
        onClick={() => setOpened(true)}
      >
        {INSTRUCTOR_SETUP}
      </Anchor>
      {opened && <RegistrationDialog title={INSTRUCTOR_SETUP} onClose={() => setOpened(false)} />}
    </>
  )
}

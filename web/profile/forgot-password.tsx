import { Anchor } from '@mantine/core'
import { profileApi } from '@tatami/contract/profile'
import { useState } from 'react'
import { useEndpointMutation } from '../lib/query.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import classes from './forgot-password.module.css'

const ForgotPasswordDialog = lazyPart(
  () => import('./forgot-password-dialog.tsx').then((part) => part.ForgotPasswordDialog),
  <Skeletons count={0} label="Loading the form..." />,
)

const TITLE = 'Forgot Password'

/** A real reset where a mail server is set; otherwise the specification's alert (product.md, section 2). */
export function ForgotPassword() {
  const [opened, setOpened] = useState(false)
  const options = useEndpointMutation(profileApi.signInOptions, {
    onSuccess: ({ password_reset }) => (password_reset ? setOpened(true) : window.alert('Forgot Password - Feature coming soon!')),
  })
  return (
    <>
      <Anchor component="button" type="button" aria-busy={options.isPending} onClick={() => options.isPending || options.mutate()}>
        {TITLE}
      </Anchor>
      {options.isError && (
        <div className={classes.error}>
          <ErrorNotice>The server did not answer. Please try again.</ErrorNotice>
        </div>
      )}
      {opened && <ForgotPasswordDialog title={TITLE} onClose={() => setOpened(false)} />}
    </>
  )
}

import { Stack } from '@mantine/core'
import { passwordChange, profileApi } from '@tatami/contract/profile/profile'
import { NewPasswordField } from '../accounts/new-password-field.tsx'
import { PasswordField } from '../accounts/password-field.tsx'
import { serverCheckedProgress } from '../accounts/server-checked-form.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { useCurrentUser } from '../lib/current-user.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Panel } from '../ui/panel.tsx'

export function ChangePassword() {
  const { name, email } = useCurrentUser()
  const form = useSchemaForm(passwordChange, { current_password: '', new_password: '' })
  const change = useEndpointMutation(profileApi.changePassword, {
    onSuccess: form.reset,
    onError: form.showRefusal,
  })
  return (
    <Panel title="Password">
      <form noValidate onSubmit={form.send((body) => change.isPending || change.mutate({ body }))}>
        <Stack gap="md">
          <input type="hidden" name="username" autoComplete="username" value={email} />
          <PasswordField
            {...form.getInputProps('current_password')}
            label="Current password"
            autoComplete="current-password"
          />
          <NewPasswordField
            {...form.getInputProps('new_password')}
            label="New password"
            description="At least 8 characters"
            ownNames={[name, email]}
          />
          <ErrorNotice>
            {
              serverCheckedProgress(
                form,
                change,
                'The password could not be changed. Please try again.',
              ).error
            }
          </ErrorNotice>
          <div role="status">
            {change.isSuccess && 'Your password was changed. Your other devices were logged out.'}
          </div>
          <div>
            <BusyButton type="submit" busy={change.isPending} busyLabel="Changing...">
              Change Password
            </BusyButton>
          </div>
        </Stack>
      </form>
    </Panel>
  )
}

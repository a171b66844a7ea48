import { Button, Stack, TextInput } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { DEFAULT_BELT_TEST_NAME } from '@tatami/contract/dojos/belt-test'
import { DEFAULT_TIME_ZONE } from '@tatami/contract/dojos/dojos'
import { profileApi } from '@tatami/contract/profile/profile'
import { settingsForm, registeredSenseiSettingsForm } from '@tatami/contract/profile/settings-form'
import type { SignedInUser } from '@tatami/contract/accounts/users'
import { useState } from 'react'
import type { z } from 'zod'
import { WithRight } from '../ui/with-right.tsx'
import { EmailField } from '../accounts/email-field.tsx'
import { NewPasswordField } from '../accounts/new-password-field.tsx'
import { PasswordField } from '../accounts/password-field.tsx'
import { BeltTestSelect } from '../dojos/belt-test-select.tsx'
import { StateSelect } from '../dojos/state-select.tsx'
import { TimeZoneSelect } from '../dojos/time-zone-select.tsx'
import { progressProps } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { session } from '../lib/session.ts'
import { afterHistorySettles } from '../lib/dialog-history.ts'
import { clearCopies } from '../lib/device-database.ts'
import { drafts, useDraft } from '../lib/drafts.ts'
import { useOpenPage } from '../lib/layout-link.tsx'
import { PATHS } from '../lib/paths.ts'
import { useCan, useCurrentUser } from '../lib/current-user.ts'
import { MessageDialog } from '../ui/message-dialogs.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import kit from '../ui/kit.module.css'

export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const can = useCan()
  const user = useCurrentUser()
  const [initialValues] = useState(() => userToForm(user))
  const hasRegistered = user.staff?.has_registered === true
  const schema = hasRegistered ? registeredSenseiSettingsForm : settingsForm
  const form = useSchemaForm(schema, initialValues, toSettingsBody(initialValues))
  useDraft('settings', form)
  const update = useEndpointMutation(profileApi.update, {
    // The server has ended the session. A dialog explains this before the login page opens.
    onSuccess: session.deferEnd,
    onError: form.showRefusal,
  })
  const save = form.send(
    ({ retype_password: _, ...body }) => update.isPending || update.mutate({ body }),
  )
  if (update.isSuccess) return <LogInAgainDialog />
  return (
    <FormDialog
      onClose={onClose}
      title={can('settings') ? 'Instructor settings' : 'Your settings'}
      onSubmit={save}
      isDirty={form.isDirty()}
      {...progressProps(update, 'Failed to update profile')}
      submitLabel="Save Changes"
      busyLabel="Saving..."
    >
      <Stack gap="lg">
        {can('settings') && <SchoolLink onLeave={onClose} />}
        <SettingsFields
          name={user.name}
          emailHint={hasRegistered ? 'Your login. It must end with .com' : 'Your login'}
          timeZone={initialValues.time_zone}
          form={form}
        />
      </Stack>
    </FormDialog>
  )
}

/** Opens the page with all other settings of the school. */
function SchoolLink({ onLeave }: { onLeave: () => void }) {
  const openPage = useOpenPage()
  const openSchool = () => {
    drafts.storeOpenForms()
    onLeave()
    afterHistorySettles(() => openPage(PATHS.school))
  }
  return (
    <div>
      <Button
        variant="default"
        leftSection={<IconBuilding size={20} aria-hidden />}
        onClick={openSchool}
      >
        All school settings
      </Button>
    </div>
  )
}

type Props = {
  name: string
  emailHint: string
  timeZone: string
  form: Pick<ReturnType<typeof useSchemaForm<SettingsValues, unknown>>, 'getInputProps' | 'values'>
}

const SettingsFields = ({ name, emailHint, timeZone, form }: Props) => (
  <div className={`${kit.stack} ${kit.twoColumns}`}>
    <EmailField {...form.getInputProps('email')} description={emailHint} required />
    <TextInput
      label="Name"
      description="You can’t change it here"
      value={name}
      readOnly
      variant="filled"
    />
    <WithRight right="settings">
      <TextInput
        {...form.getInputProps('dojo_name')}
        label="Dojo name"
        required
        autoComplete="organization"
      />
    </WithRight>
    <TextInput
      {...form.getInputProps('phone_number')}
      label="Phone number"
      type="tel"
      autoComplete="tel"
    />
    <WithRight right="settings">
      <TextInput {...form.getInputProps('city')} label="City" autoComplete="address-level2" />
      <StateSelect {...form.getInputProps('state')} />
      <div className={kit.wide}>
        <TimeZoneSelect {...form.getInputProps('time_zone')} current={timeZone} />
      </div>
      <div className={kit.wide}>
        <BeltTestSelect {...form.getInputProps('belt_test_name')} />
      </div>
    </WithRight>
    <NewPasswordField
      {...form.getInputProps('password')}
      label="New password"
      description="Leave blank to keep the current one"
      ownNames={[name, form.values.email, form.values.dojo_name]}
    />
    <PasswordField
      {...form.getInputProps('retype_password')}
      label="Confirm new password"
      description="Enter it again"
      autoComplete="new-password"
    />
  </div>
)

const userToForm = (user: SignedInUser) => ({
  email: user.email,
  dojo_name: user.dojo_name ?? '',
  phone_number: user.phone_number ?? '',
  city: user.city ?? '',
  state: user.state ?? '',
  time_zone: user.time_zone ?? DEFAULT_TIME_ZONE,
  belt_test_name: user.belt_test_name ?? DEFAULT_BELT_TEST_NAME,
  password: '',
  retype_password: '',
})
type SettingsValues = ReturnType<typeof userToForm>

/** Leaves out an empty password (specification, section 5) and unchanged choices. */
const toSettingsBody =
  (initialValues: SettingsValues) =>
  ({ password, time_zone, belt_test_name, ...values }: SettingsValues) =>
    ({
      ...values,
      ...(time_zone !== initialValues.time_zone && { time_zone }),
      ...(belt_test_name !== initialValues.belt_test_name && { belt_test_name }),
      ...(password && { password }),
    }) as z.input<typeof settingsForm>

function LogInAgainDialog() {
  const leave = () => void clearCopies().finally(() => session.leaveTo('/'))
  return (
    <MessageDialog title="Please log in again" role="alertdialog" button="OK" onClose={leave}>
      Your settings are saved. For security reasons you must log in again, here and on your other
      devices.
    </MessageDialog>
  )
}

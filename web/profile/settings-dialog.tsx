import { Divider, Stack, TextInput } from '@mantine/core'
import { DEFAULT_TIME_ZONE } from '@tatami/contract/dojos'
import { profileApi, settingsForm } from '@tatami/contract/profile'
import type { SignedInUser } from '@tatami/contract/students'
import { useState } from 'react'
import type { z } from 'zod'
import { EmailField } from '../accounts/email-field.tsx'
import { PasswordField } from '../accounts/password-field.tsx'
import { Invitation } from '../dojos/invitation.tsx'
import { StateSelect } from '../dojos/state-select.tsx'
import { TimeZoneSelect } from '../dojos/time-zone-select.tsx'
import { errorMessage } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { session } from '../lib/session.ts'
import { useDraft } from '../lib/drafts.ts'
import { useCurrentUser } from '../lib/current-user.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { FormNotice } from '../ui/form-notice.tsx'
import { MessageDialog } from '../ui/message-dialog.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import styles from './settings-dialog.module.css'

/** What instructors change about themselves and their dojo, and how students come to it. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const user = useCurrentUser()
  const [before] = useState(() => settingsOf(user))
  const form = useSchemaForm(settingsForm, before, settingsToWire(before))
  useDraft('settings', form)
  const update = useEndpointMutation(profileApi.update, { onSuccess: session.deferEnd, onError: form.showRefusal })
  const save = form.send(({ retype_password: _, ...body }) => update.isPending || update.mutate({ body }))
  if (update.isSuccess) return <LogInAgain />
  return (
    <Sheet
      opened
      onClose={onClose}
      title="Instructor settings"
      onSubmit={save}
      busy={update.isPending}
      unsent={form.isDirty()}
      actions={
        <>
          <FormNotice>{update.isError && errorMessage(update.error, 'Failed to update profile')}</FormNotice>
          <CancelButton />
          <BusyButton type="submit" busy={update.isPending} busyLabel="Saving...">
            Save Changes
          </BusyButton>
        </>
      }
    >
      <Stack gap="lg">
        <SettingsFields name={user.name} timeZone={before.time_zone} form={form} />
        <Divider />
        <Invitation />
      </Stack>
    </Sheet>
  )
}

type Props = {
  name: string
  /** Before it is changed. */
  timeZone: string
  form: Pick<ReturnType<typeof useSchemaForm<SettingsValues, unknown>>, 'getInputProps'>
}

const SettingsFields = ({ name, timeZone, form }: Props) => (
  <div className={styles.fields}>
    <EmailField {...form.getInputProps('email')} description="You log in with it. It must end with .com" required />
    <TextInput label="Name" description="It cannot be changed here" value={name} readOnly variant="filled" />
    <TextInput {...form.getInputProps('dojo_name')} label="Dojo name" required autoComplete="organization" />
    <TextInput {...form.getInputProps('phone_number')} label="Phone number" type="tel" autoComplete="tel" />
    <TextInput {...form.getInputProps('city')} label="City" autoComplete="address-level2" />
    <StateSelect {...form.getInputProps('state')} />
    <div className={styles.wide}>
      <TimeZoneSelect {...form.getInputProps('time_zone')} current={timeZone} />
    </div>
    <PasswordField
      {...form.getInputProps('password')}
      label="New password"
      description="Leave it blank to keep the current one"
      autoComplete="new-password"
    />
    <PasswordField
      {...form.getInputProps('retype_password')}
      label="Confirm new password"
      description="Repeat the password"
      autoComplete="new-password"
    />
  </div>
)

const settingsOf = ({ email, dojo_name, phone_number, city, state, time_zone }: SignedInUser) => ({
  email,
  dojo_name: dojo_name ?? '',
  phone_number: phone_number ?? '',
  city: city ?? '',
  state: state ?? '',
  time_zone: time_zone ?? DEFAULT_TIME_ZONE,
  password: '',
  retype_password: '',
})
type SettingsValues = ReturnType<typeof settingsOf>

/** A blank password is not sent (specification, section 5), nor a time zone that stays. */
const settingsToWire =
  (before: SettingsValues) =>
  ({ password, time_zone, ...rest }: SettingsValues) =>
    ({ ...rest, ...(time_zone !== before.time_zone && { time_zone }), ...(password && { password }) }) as z.input<typeof settingsForm>

/** The server has ended the session already, on every device; all that is left is to go. */
const LogInAgain = () => (
  <MessageDialog title="Please log in again" role="alertdialog" button="OK" onClose={() => session.leaveTo('/')}>
    Your settings are saved. For security reasons you must log in again, here and on your other devices.
  </MessageDialog>
)

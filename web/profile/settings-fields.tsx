import { TextInput } from '@mantine/core'
import { EmailField } from '../accounts/email-field.tsx'
import { PasswordField } from '../accounts/password-field.tsx'
import { StateSelect } from '../dojos/state-select.tsx'
import { TimeZoneSelect } from '../dojos/time-zone-select.tsx'
import type { useSchemaForm } from '../lib/form.ts'
import classes from './settings-fields.module.css'
import type { SettingsValues } from './settings-form.ts'

type Props = {
  name: string
  /** Before it is changed. */
  timeZone: string
  form: Pick<ReturnType<typeof useSchemaForm<SettingsValues, unknown>>, 'getInputProps'>
}

export const SettingsFields = ({ name, timeZone, form }: Props) => (
  <div className={classes.fields}>
    <EmailField {...form.getInputProps('email')} description="You log in with it. It must end with .com" required />
    <TextInput label="Name" description="It cannot be changed here" value={name} readOnly variant="filled" />
    <TextInput {...form.getInputProps('dojo_name')} label="Dojo name" required autoComplete="organization" />
    <TextInput {...form.getInputProps('phone_number')} label="Phone number" type="tel" autoComplete="tel" />
    <TextInput {...form.getInputProps('city')} label="City" autoComplete="address-level2" />
    <StateSelect {...form.getInputProps('state')} />
    <div className={classes.wide}>
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

import { NativeSelect, TextInput } from '@mantine/core'
import { US_STATES } from '@tatami/contract/dojos'
import { PasswordField } from '../accounts/password-field.tsx'
import type { useSchemaForm } from '../kernel/form.ts'
import classes from './settings-fields.module.css'
import type { SettingsValues } from './settings-form.ts'

const STATES = [{ value: '', label: 'Select a state' }, ...US_STATES]

type Props = { name: string; form: Pick<ReturnType<typeof useSchemaForm<SettingsValues, unknown>>, 'getInputProps'> }

export const SettingsFields = ({ name, form }: Props) => (
  <div className={classes.fields}>
    <TextInput
      {...form.getInputProps('email')}
      label="Email"
      description="You log in with it. It ends with .com"
      type="email"
      required
      autoComplete="username"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
    />
    <TextInput label="Name" description="It cannot be changed here" value={name} readOnly variant="filled" />
    <TextInput {...form.getInputProps('dojo_name')} label="Dojo name" required autoComplete="organization" />
    <TextInput {...form.getInputProps('phone_number')} label="Phone number" type="tel" autoComplete="tel" />
    <TextInput {...form.getInputProps('city')} label="City" autoComplete="address-level2" />
    <NativeSelect {...form.getInputProps('state')} label="State" data={STATES} autoComplete="address-level1" />
    <PasswordField
      {...form.getInputProps('password')}
      label="New password"
      description="Leave it blank to keep the old one"
      autoComplete="new-password"
    />
    <PasswordField
      {...form.getInputProps('retype_password')}
      label="Confirm new password"
      description="The same once more"
      autoComplete="new-password"
    />
  </div>
)

import { NativeSelect, TextInput } from '@mantine/core'
import { US_STATES } from '@tatami/contract/dojos'
import { PasswordField } from '../accounts/password-field.tsx'
import type { useSchemaForm } from '../kernel/form.ts'
import classes from './registration.module.css'
import { keepDigits, type RegistrationValues } from './registration-form.ts'

const STATES = [{ value: '', label: 'Select a state' }, ...US_STATES]
type Form = ReturnType<typeof useSchemaForm<RegistrationValues, unknown>>

export function RegistrationFields({ form }: { form: Form }) {
  const digits = (field: 'contact_area_code' | 'contact_number', count: number) =>
    ({
      ...form.getInputProps(field),
      onChange: (event: { currentTarget: HTMLInputElement }) => form.setFieldValue(field, keepDigits(event.currentTarget.value, count)),
      type: 'tel',
      inputMode: 'numeric',
    }) as const
  return (
    <div className={classes.fields}>
      <TextInput {...form.getInputProps('first_name')} label="First name" autoComplete="given-name" />
      <TextInput {...form.getInputProps('last_name')} label="Last name" autoComplete="family-name" />
      <TextInput
        {...form.getInputProps('email')}
        label="Email"
        description="You log in with it. It ends with .com"
        type="email"
        name="email"
        className={classes.wide}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <div className={classes.phone}>
        <TextInput {...digits('contact_area_code', 3)} label="Area code" description="3 digits" autoComplete="tel-area-code" />
        <TextInput {...digits('contact_number', 7)} label="Phone number" description="7 digits" autoComplete="tel-local" />
      </div>
      <PasswordField
        {...form.getInputProps('password')}
        label="Password"
        description="8 characters, a capital, a digit"
        autoComplete="new-password"
      />
      <PasswordField
        {...form.getInputProps('retype_password')}
        label="Retype password"
        description="The same once more"
        autoComplete="new-password"
      />
      <TextInput {...form.getInputProps('city')} label="City" autoComplete="address-level2" />
      <NativeSelect {...form.getInputProps('state')} label="State" data={STATES} autoComplete="address-level1" />
      <TextInput {...form.getInputProps('dojo_name')} label="Dojo name" autoComplete="organization" className={classes.wide} />
    </div>
  )
}

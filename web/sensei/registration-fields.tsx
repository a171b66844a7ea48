import { TextInput } from '@mantine/core'
import { EmailField } from '../accounts/email-field.tsx'
import { PasswordField } from '../accounts/password-field.tsx'
import { StateSelect } from '../dojos/state-select.tsx'
import { stripTyped, type useSchemaForm } from '../lib/form.ts'
import classes from './registration.module.css'
import { keepDigits, type RegistrationValues } from './registration-form.ts'

type Form = ReturnType<typeof useSchemaForm<RegistrationValues, unknown>>

export function RegistrationFields({ form }: { form: Form }) {
  const digits = (field: 'contact_area_code' | 'contact_number', count: number) =>
    ({
      ...form.getInputProps(field),
      onChange: (event: { currentTarget: HTMLInputElement }) =>
        form.setFieldValue(
          field,
          stripTyped(event, (typed) => keepDigits(typed, count)),
        ),
      type: 'tel',
      inputMode: 'numeric',
    }) as const
  return (
    <div className={classes.fields}>
      <TextInput {...form.getInputProps('first_name')} label="First name" autoComplete="given-name" />
      <TextInput {...form.getInputProps('last_name')} label="Last name" autoComplete="family-name" />
      <EmailField
        {...form.getInputProps('email')}
        description="You log in with it. It must end with .com"
        name="email"
        className={classes.wide}
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
        description="Repeat the password"
        autoComplete="new-password"
      />
      <TextInput {...form.getInputProps('city')} label="City" autoComplete="address-level2" />
      <StateSelect {...form.getInputProps('state')} />
      <TextInput {...form.getInputProps('dojo_name')} label="Dojo name" autoComplete="organization" className={classes.wide} />
    </div>
  )
}

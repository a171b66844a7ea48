import { TextInput } from '@mantine/core'
import {
  type RegistrationReceipt,
  senseiApi,
  senseiRegistration,
  type SenseiRegistration,
} from '@tatami/contract/sensei/sensei'
import { EmailField } from '../accounts/email-field.tsx'
import { NewPasswordField } from '../accounts/new-password-field.tsx'
import { PasswordField } from '../accounts/password-field.tsx'
import { StateSelect } from '../dojos/state-select.tsx'
import { progressProps } from '../lib/api.ts'
import { cleanTypedText, useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { DoneNotice } from '../ui/notices.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { MessageDialog } from '../ui/message-dialogs.tsx'
import styles from './registration-dialog.module.css'
import kit from '../ui/kit.module.css'

export function RegistrationDialog({ title, onClose }: { title: string; onClose: () => void }) {
  const form = useSchemaForm(senseiRegistration, EMPTY_REGISTRATION, toRegistrationBody)
  const register = useEndpointMutation(senseiApi.register, { onError: form.showRefusal })
  if (register.data)
    return (
      <RegistrationConfirmation
        receipt={register.data}
        email={form.values.email.trim()}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      onSubmit={form.send((body) => register.isPending || register.mutate({ body }))}
      isDirty={form.isDirty()}
      {...progressProps(register, 'Failed to create account')}
      submitLabel="Create Account"
      busyLabel="Signing up..."
    >
      <RegistrationFields form={form} />
    </FormDialog>
  )
}

type ConfirmationProps = { receipt: RegistrationReceipt; email: string; onClose: () => void }

const RegistrationConfirmation = ({ receipt, email, onClose }: ConfirmationProps) => (
  <MessageDialog title="Registration received" button="Close" onClose={onClose}>
    <div className={kit.stack}>
      <DoneNotice>{receipt.message}</DoneNotice>
      <p>
        This usually takes {receipt.activation_time}.{' '}
        {receipt.emails_activation ? (
          <>
            We’ll email <span className={kit.name}>{email}</span> when it’s done.
          </>
        ) : (
          'Come back then and log in.'
        )}
      </p>
      <p>
        Meanwhile, gather your list of students (a spreadsheet, or an export from your old software)
        and the days and times of your classes.
      </p>
    </div>
  </MessageDialog>
)

type Form = ReturnType<typeof useSchemaForm<RegistrationValues, unknown>>

function RegistrationFields({ form }: { form: Form }) {
  const { first_name, last_name, email, dojo_name } = form.values
  return (
    <div className={`${kit.stack} ${kit.twoColumns}`}>
      <TextInput
        {...form.getInputProps('first_name')}
        label="First name"
        autoComplete="given-name"
      />
      <TextInput
        {...form.getInputProps('last_name')}
        label="Last name"
        autoComplete="family-name"
      />
      <EmailField
        {...form.getInputProps('email')}
        description="You’ll use it to log in. It must end in .com"
        name="email"
        className={kit.wide}
      />
      <PhoneFields form={form} />
      <NewPasswordField
        {...form.getInputProps('password')}
        label="Password"
        description="8+ characters, with a capital letter and a digit"
        ownNames={[first_name, last_name, email, dojo_name]}
      />
      <PasswordField
        {...form.getInputProps('retype_password')}
        label="Retype password"
        description="Enter it again"
        autoComplete="new-password"
      />
      <TextInput {...form.getInputProps('city')} label="City" autoComplete="address-level2" />
      <StateSelect {...form.getInputProps('state')} />
      <TextInput
        {...form.getInputProps('dojo_name')}
        label="Dojo name"
        autoComplete="organization"
        className={kit.wide}
      />
    </div>
  )
}

function PhoneFields({ form }: { form: Form }) {
  const digitFieldProps = (field: 'contact_area_code' | 'contact_number', maxDigits: number) =>
    ({
      ...form.getInputProps(field),
      onChange: (event: { currentTarget: HTMLInputElement }) =>
        form.setFieldValue(
          field,
          cleanTypedText(event, (text) => keepDigits(text, maxDigits)),
        ),
      type: 'tel',
      inputMode: 'numeric',
    }) as const
  return (
    <div className={`${kit.wide} ${styles.phone}`}>
      <TextInput
        {...digitFieldProps('contact_area_code', 3)}
        label="Area code"
        description="3 digits"
        autoComplete="tel-area-code"
      />
      <TextInput
        {...digitFieldProps('contact_number', 7)}
        label="Phone number"
        description="7 digits"
        autoComplete="tel-local"
      />
    </div>
  )
}

const EMPTY_REGISTRATION = {
  first_name: '',
  last_name: '',
  email: '',
  contact_area_code: '',
  contact_number: '',
  password: '',
  retype_password: '',
  city: '',
  state: '',
  dojo_name: '',
}
type RegistrationValues = typeof EMPTY_REGISTRATION

/** Leaves out an empty `state`, so that the schema reports it as missing. */
const toRegistrationBody = ({ state, ...values }: RegistrationValues) =>
  ({ ...values, ...(state && { state }) }) as SenseiRegistration

const keepDigits = (text: string, maxDigits: number) => text.replace(/\D/g, '').slice(0, maxDigits)

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
import { sanitizeInput, useSchemaForm } from '../lib/form.ts'
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
      <ReceivedDialog receipt={register.data} email={form.values.email.trim()} onClose={onClose} />
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

type ReceivedProps = { receipt: RegistrationReceipt; email: string; onClose: () => void }

const ReceivedDialog = ({ receipt, email, onClose }: ReceivedProps) => (
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
        Until then, you can get your list of students ready (a spreadsheet, or an export from your
        old software), and the days and times of your classes.
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
        description="You use it to log in. It must end with .com"
        name="email"
        className={kit.wide}
      />
      <PhoneFields form={form} />
      <NewPasswordField
        {...form.getInputProps('password')}
        label="Password"
        description="8+ characters, a capital and a digit"
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
  const digitFieldProps = (field: 'contact_area_code' | 'contact_number', count: number) =>
    ({
      ...form.getInputProps(field),
      onChange: (event: { currentTarget: HTMLInputElement }) =>
        form.setFieldValue(
          field,
          sanitizeInput(event, (text) => keepDigits(text, count)),
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

/** Leaves out an empty state, so that the schema reports it as missing. */
const toRegistrationBody = ({ state, ...values }: RegistrationValues) =>
  ({ ...values, ...(state && { state }) }) as SenseiRegistration

const keepDigits = (text: string, count: number) => text.replace(/\D/g, '').slice(0, count)

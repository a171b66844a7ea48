import { Button, Stack, TextInput } from '@mantine/core'
import { consentApi, consentForm } from '@tatami/contract/consent'
import { EmailField } from '../accounts/email-field.tsx'
import { explain } from '../lib/api.ts'
import { showDate, today } from '../lib/dates.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Agreement } from './agreement.tsx'
import classes from './consent-form.module.css'

// A visitor belongs to no dojo that is known here: the date of the agreement is their own day.
/** In the order of the complaints (specification, section 5). */
const EMPTY = { sensei_name: '', phone_number: '', signature: '', email: '' }

export function ConsentForm({ onDone }: { onDone: () => void }) {
  const form = useSchemaForm(consentForm, EMPTY, (values) => ({ ...values, date: today() }))
  const submit = useEndpointMutation(consentApi.submit, { onSuccess: onDone })
  // One complaint at a time, in the red box; the field it is about is marked.
  const wrong = Object.keys(EMPTY).find((field) => field in form.errors)
  const field = (name: keyof typeof EMPTY) => ({ ...form.getInputProps(name), error: wrong === name })
  const said = wrong ? form.errors[wrong] : submit.isError && explain(submit.error, 'Failed to submit consent form')
  return (
    <form noValidate onSubmit={form.send((body) => submit.isPending || submit.mutate({ body }))}>
      <Stack gap="md">
        <Agreement />
        <TextInput {...field('sensei_name')} label="Sensei name" description="Who runs the school" required autoCapitalize="words" />
        <TextInput
          {...field('phone_number')}
          label="Phone number"
          description="Where the messages go"
          required
          type="tel"
          autoComplete="tel"
        />
        <EmailField {...field('email')} label="Email (optional)" autoComplete="email" />
        <TextInput
          {...field('signature')}
          label="Digital signature"
          description="Type your full name"
          required
          autoComplete="name"
          autoCapitalize="words"
        />
        <p className={classes.date}>Date: {showDate(today())}</p>
        <ErrorNotice>{said}</ErrorNotice>
        <div className={classes.acts}>
          <Button component="a" href="/" variant="default">
            Cancel
          </Button>
          <BusyButton type="submit" busy={submit.isPending} busyLabel="Submitting...">
            Submit Agreement
          </BusyButton>
        </div>
      </Stack>
    </form>
  )
}

import { Button, Paper, Stack, TextInput, Title } from '@mantine/core'
import { IconArrowLeft, IconCircleCheck } from '@tabler/icons-react'
import { consentApi, consentForm } from '@tatami/contract/consent/consent'
import { CONSENT_AGREEMENT } from '@tatami/contract/texting/consent-agreement'
import { CONSENT_WORDING_VERSION } from '@tatami/contract/texting/consent-versions'
import { useState } from 'react'
import { EmailField } from '../accounts/email-field.tsx'
import { failureMessage } from '../lib/api.ts'
import { formatDate, today } from '../lib/dates.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { ConsentWording } from '../texting/consent-wording.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { PageFrame } from '../ui/page-frame.tsx'
import styles from './consent-page.module.css'

const TITLE = 'Text Message Consent'
const HOME_LABEL = (
  <>
    <IconArrowLeft size={20} aria-hidden />
    Back to Home
  </>
)

export function ConsentPage() {
  const [isSubmitted, setSubmitted] = useState(false)
  return (
    <PageFrame title={TITLE} homeLabel={HOME_LABEL} classNames={styles}>
      <Paper p="lg" className={styles.card}>
        {isSubmitted ? (
          <ConsentSubmitted />
        ) : (
          <>
            <Title order={1} mb="md">
              {TITLE}
            </Title>
            <ConsentForm onDone={() => setSubmitted(true)} />
          </>
        )}
      </Paper>
    </PageFrame>
  )
}

/** The fields are in the order in which their errors are shown (specification, section 5). */
const EMPTY_CONSENT = { sensei_name: '', phone_number: '', signature: '', email: '' }

function ConsentForm({ onDone }: { onDone: () => void }) {
  // A visitor belongs to no dojo, so the date comes from their device.
  const form = useSchemaForm(consentForm, EMPTY_CONSENT, (values) => ({ ...values, date: today() }))
  const submit = useEndpointMutation(consentApi.submit, { onSuccess: onDone })
  const firstInvalidField = Object.keys(EMPTY_CONSENT).find((field) => field in form.errors)
  const field = (name: keyof typeof EMPTY_CONSENT) => ({
    ...form.getInputProps(name),
    error: firstInvalidField === name,
  })
  const errorText = firstInvalidField
    ? form.errors[firstInvalidField]
    : failureMessage(submit, 'Failed to submit consent form')
  return (
    <form noValidate onSubmit={form.send((body) => submit.isPending || submit.mutate({ body }))}>
      <Stack gap="md">
        <Agreement />
        <TextInput
          {...field('sensei_name')}
          label="Sensei name"
          description="Who runs the school"
          required
          autoCapitalize="words"
        />
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
        <p className={styles.date}>Date: {formatDate(today())}</p>
        <ErrorNotice>{errorText}</ErrorNotice>
        <div className={styles.actions}>
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

const Agreement = () => (
  <section className={styles.agreement} aria-label="The agreement">
    <ConsentWording wording={CONSENT_AGREEMENT} />
    <p className={styles.version}>Version {CONSENT_WORDING_VERSION}</p>
  </section>
)

const focusOnMount = (heading: HTMLHeadingElement | null) => heading?.focus()

const ConsentSubmitted = () => (
  <Stack gap="md" align="center" ta="center">
    <IconCircleCheck size={48} stroke={1.5} className={styles.icon} aria-hidden />
    <Title order={1} ref={focusOnMount} tabIndex={-1} className={styles.title}>
      Consent Submitted Successfully!
    </Title>
    <p className={styles.notice}>
      The Tatami admin has been notified. To stop the messages at any time, reply STOP.
    </p>
    <Button component="a" href="/">
      Return to Home
    </Button>
  </Stack>
)

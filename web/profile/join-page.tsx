import { Anchor, Checkbox, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core'
import { daysText, timeRange } from '@tatami/contract/classes'
import { ADULT_AGE, type Relation, RELATIONS } from '@tatami/contract/guardians'
import { fullJoinForm, type InvitedTo, type joinForm, profileApi } from '@tatami/contract/profile'
import { ageOn } from '@tatami/contract/student-page'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import type { z } from 'zod'
import { EmailField } from '../accounts/email-field.tsx'
import { PasswordField } from '../accounts/password-field.tsx'
import { ApiError, errorMessage } from '../lib/api.ts'
import { setTimeZone, today } from '../lib/dates.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { capitalize } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import styles from './join-page.module.css'
import { useSignIn } from './use-sign-in.ts'
import { VisitorPage } from './visitor-page.tsx'

/** The page of an invitation, where a student creates an account and is signed in. */
export function JoinPage() {
  const { code = '' } = useParams()
  const { data, error, isPending } = useQuery(endpointQuery(profileApi.invited, { query: { invite_code: code } }))
  // Without an answer the form is shown anyway; submitting it reports the error.
  const refusal = error instanceof ApiError && error.status < 500 && error.detail
  // Ages are those of the dojo's calendar.
  setTimeZone(data?.time_zone)
  return (
    <VisitorPage title="Join your dojo">
      <Stack gap="md">
        {refusal ? (
          <>
            <ErrorNotice>{refusal}</ErrorNotice>
            <Text>Ask your instructor for a new invitation.</Text>
          </>
        ) : (
          <>
            <Text fw={650} size="lg" mih="1lh" lineClamp={2}>
              {data?.dojo_name}
            </Text>
            {isPending ? <Skeletons count={4} height={64} label="Loading" /> : <JoinForm invitation={code} classes={data?.classes ?? []} />}
          </>
        )}
        <Anchor href="/login" ta="center" py="sm">
          I can log in already
        </Anchor>
      </Stack>
    </VisitorPage>
  )
}

const EMPTY_FORM = {
  name: '',
  date_of_birth: '',
  phone_number: '',
  guardian: { name: '', relation: 'mother' as Relation, phone: '', email: '' },
  emergency_contact_name: '',
  emergency_contact_phone: '',
  class_preferences: [] as string[],
  email: '',
  password: '',
}
type Values = typeof EMPTY_FORM

/** Whether the student is known to be under age, by the dojo's calendar. */
const isMinor = ({ date_of_birth }: Values) => date_of_birth !== '' && date_of_birth <= today() && ageOn(today(), date_of_birth) < ADULT_AGE

const toWire =
  (invite_code: string) =>
  ({ guardian, ...values }: Values) =>
    ({ ...values, invite_code, ...(isMinor({ guardian, ...values }) && { guardian }) }) as z.input<typeof joinForm>

function JoinForm({ invitation, classes }: { invitation: string; classes: InvitedTo['classes'] }) {
  const form = useSchemaForm(fullJoinForm(today(), classes.length > 0), EMPTY_FORM, toWire(invitation))
  const join = useEndpointMutation(profileApi.join, { onSuccess: useSignIn(), onError: form.showRefusal })
  const field = (name: string) => form.getInputProps(name)
  const { name, date_of_birth } = form.values
  const isUnderAge = isMinor(form.values)
  const firstName = name.trim().split(/\s+/, 1)[0]
  return (
    <form noValidate onSubmit={form.send((body) => join.isPending || join.mutate({ body }))}>
      <Stack gap="lg">
        <Text>Your instructor invited you. They only need to approve what you fill in here.</Text>
        <Section title="Who joins">
          <TextInput {...field('name')} label="Name" autoComplete="name" autoCapitalize="words" />
          <TextInput {...field('date_of_birth')} label="Date of birth" type="date" max={today()} autoComplete="bday" />
          <TextInput
            {...field('phone_number')}
            label={isUnderAge ? 'Phone number (if they have one)' : 'Phone number'}
            type="tel"
            autoComplete="tel"
          />
        </Section>
        {isUnderAge && (
          <Section
            title="Parent or guardian"
            note={`${firstName || 'Someone'} is under ${ADULT_AGE}. We call this person in an emergency.`}
          >
            <TextInput {...field('guardian.name')} label="Parent’s or guardian’s name" autoComplete="off" autoCapitalize="words" />
            <NativeSelect
              {...field('guardian.relation')}
              label="Relation"
              data={RELATIONS.map((value) => ({ value, label: capitalize(value) }))}
            />
            <TextInput {...field('guardian.phone')} label="Parent’s or guardian’s phone number" type="tel" autoComplete="off" />
            <EmailField {...field('guardian.email')} label="Parent’s or guardian’s email (optional)" autoComplete="off" />
          </Section>
        )}
        {date_of_birth !== '' && !isUnderAge && (
          <Section title="Emergency contact">
            <TextInput {...field('emergency_contact_name')} label="Emergency contact name" autoComplete="off" autoCapitalize="words" />
            <TextInput {...field('emergency_contact_phone')} label="Emergency contact phone" type="tel" autoComplete="off" />
          </Section>
        )}
        {classes.length > 0 && (
          <Checkbox.Group
            {...field('class_preferences')}
            label="Classes"
            size="md"
            inputWrapperOrder={['label', 'error', 'input']}
            tabIndex={-1}
          >
            <div className={styles.classes}>
              {classes.map((one) => (
                <Checkbox key={one.id} value={one.id} label={one.class_name} description={`${daysText(one)}, ${timeRange(one)}`} />
              ))}
            </div>
          </Checkbox.Group>
        )}
        <Section title="Log-in">
          <EmailField {...field('email')} description="You log in with it" />
          <PasswordField {...field('password')} label="Password" description="At least 8 characters" autoComplete="new-password" />
        </Section>
        <ErrorNotice>{join.error && errorMessage(join.error, 'Registration failed')}</ErrorNotice>
        <BusyButton type="submit" fullWidth busy={join.isPending} busyLabel="Joining...">
          Join
        </BusyButton>
      </Stack>
    </form>
  )
}

const Section = ({ title, note, children }: { title: string; note?: string; children: ReactNode }) => (
  <fieldset className={styles.section}>
    <legend className={styles.legend}>
      <Title order={2} size="h4">
        {title}
      </Title>
    </legend>
    {note && <p className={styles.note}>{note}</p>}
    <Stack gap="md">{children}</Stack>
  </fieldset>
)

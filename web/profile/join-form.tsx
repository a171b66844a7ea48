import { ageOn } from '@tatami/contract/lib/calendar-day'
import { firstName } from '@tatami/contract/lib/name-parts'
import { Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { JOIN_WORDING_VERSION } from '@tatami/contract/texting/consent-versions'
import {
  ADULT_AGE,
  OWN_LOGIN_AGE,
  type Relation,
  RELATIONS,
} from '@tatami/contract/guardians/guardians'
import {
  fullGuardianJoinForm,
  fullJoinForm,
  type guardianJoinForm,
  type InvitationDetails,
  type joinForm,
  MAX_CHILDREN,
} from '@tatami/contract/profile/join'
import { profileApi } from '@tatami/contract/profile/profile'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import { EmailField } from '../accounts/email-field.tsx'
import { NewPasswordField } from '../accounts/new-password-field.tsx'
import { errorMessage } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { drafts, useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { capitalize } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { lazyComponentFrom } from '../ui/lazy-component.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { NewcomerFields, Section } from './newcomer-fields.tsx'
import { useSignIn } from './use-sign-in.ts'

const TextConsent = lazyComponentFrom(
  () => import('./text-consent.tsx').then((module) => module.TextConsent),
  <SkeletonBlock height="9rem" />,
)

const EMPTY_NEWCOMER = {
  name: '',
  date_of_birth: '',
  phone_number: '',
  class_preferences: [] as string[],
  plan_id: '',
}
type Newcomer = typeof EMPTY_NEWCOMER

type NewGuardian = { name: string; relation: Relation | ''; phone: string; email: string }
const EMPTY_GUARDIAN: NewGuardian = { name: '', relation: '', phone: '', email: '' }

const EMPTY_FORM = {
  newcomers: [EMPTY_NEWCOMER],
  /** Asked only for ages 13 to 17 (`isJoinedByGuardian`). */
  logs_in: 'student' as 'student' | 'guardian',
  guardian: EMPTY_GUARDIAN,
  emergency_contact_name: '',
  emergency_contact_phone: '',
  email: '',
  password: '',
  agrees_to_texts: false,
}
type Values = typeof EMPTY_FORM

/** Returns null until the date of birth is complete. While the year is typed, it is for example
 *  0020. */
function getAge({ date_of_birth }: Newcomer): number | null {
  const isEntered = date_of_birth >= '1900' && date_of_birth <= today()
  return isEntered ? ageOn(today(), date_of_birth) : null
}
/** Returns false until the date of birth is complete. */
function isYoungerThan(age: number, newcomer: Newcomer | undefined): boolean {
  const newcomerAge = newcomer ? getAge(newcomer) : null
  return newcomerAge !== null && newcomerAge < age
}

/** True if a guardian gets the login: for several children, for a child under 13, or by choice. */
const isJoinedByGuardian = ({ newcomers, logs_in }: Values) =>
  newcomers.length > 1 ||
  isYoungerThan(OWN_LOGIN_AGE, newcomers[0]) ||
  (isYoungerThan(ADULT_AGE, newcomers[0]) && logs_in === 'guardian')

type JoinBody = z.input<typeof joinForm> | z.input<typeof guardianJoinForm>

const toJoinBody =
  (invite_code: string) =>
  (values: Values): JoinBody => {
    const {
      newcomers,
      guardian,
      email,
      password,
      emergency_contact_name,
      emergency_contact_phone,
    } = values
    const text_consent = values.agrees_to_texts
      ? { wording_version: JOIN_WORDING_VERSION }
      : undefined
    const logIn = { invite_code, email, password }
    if (isJoinedByGuardian(values)) return { ...logIn, guardian, children: newcomers, text_consent }
    const [newcomer = EMPTY_NEWCOMER] = newcomers
    const isMinor = isYoungerThan(ADULT_AGE, newcomer)
    return {
      ...logIn,
      ...newcomer,
      ...(isMinor ? { guardian } : { emergency_contact_name, emergency_contact_phone }),
      ...(newcomer.phone_number !== '' && { text_consent }),
    }
  }

const isGuardianBody = (body: unknown): body is z.input<typeof guardianJoinForm> =>
  body instanceof Object && Object.hasOwn(body, 'children')

/** Finds the form field of a field in the request. In the request, the fields of a single student
 *  are at the top level. */
const toFormField = (path: string) =>
  path
    .replace(/^children\b/, 'newcomers')
    .replace(/^(name|date_of_birth|phone_number|class_preferences|plan_id)\b/, 'newcomers.0.$1')

const JOIN_FAILED = 'Registration failed'
const JOIN_FAILED_OFFLINE = `${JOIN_FAILED}. You are offline. What you entered is kept.`

type Props = { invitation: string } & Pick<InvitationDetails, 'classes' | 'plans'>

export function JoinForm({ invitation, classes, plans }: Props) {
  const offersClasses = classes.length > 0
  const schema = {
    safeParse: (body: unknown) => {
      const createSchema = isGuardianBody(body) ? fullGuardianJoinForm : fullJoinForm
      return createSchema(today(), offersClasses).safeParse(body)
    },
  }
  const form = useSchemaForm(schema, EMPTY_FORM, toJoinBody(invitation), toFormField)
  useDraft('join', form)
  // Keeps the draft for Back and reload. It is deleted when somebody logs in (`setOwner`).
  useWindowEvent('pagehide', drafts.storeOpenForms)
  const mutationOptions = { onSuccess: useSignIn(), onError: form.showRefusal }
  const joinAlone = useEndpointMutation(profileApi.join, mutationOptions)
  const joinWithChildren = useEndpointMutation(profileApi.joinAsGuardian, mutationOptions)
  const isByGuardian = isJoinedByGuardian(form.values)
  const { isPending, error } = isByGuardian ? joinWithChildren : joinAlone
  const submit = form.send((body) => {
    if (isPending) return
    if (isGuardianBody(body)) joinWithChildren.mutate({ body })
    else joinAlone.mutate({ body })
  })
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="lg">
        <Newcomers form={form} classes={classes} plans={plans} />
        <LoginOwnerField form={form} />
        <ContactSection form={form} />
        <LoginSection form={form} />
        {(isByGuardian || form.values.newcomers[0]?.phone_number) && (
          <TextConsent {...form.getInputProps('agrees_to_texts', { type: 'checkbox' })} />
        )}
        <ErrorNotice>
          {error && errorMessage(error, navigator.onLine ? JOIN_FAILED : JOIN_FAILED_OFFLINE)}
        </ErrorNotice>
        <BusyButton type="submit" fullWidth busy={isPending} busyLabel="Joining...">
          Join
        </BusyButton>
      </Stack>
    </form>
  )
}

type SchemaForm = ReturnType<typeof useSchemaForm<Values>>
type Form = Pick<SchemaForm, 'getInputProps' | 'values'>
type NewcomersProps = Pick<Props, 'classes' | 'plans'> & {
  form: Form & Pick<SchemaForm, 'insertListItem' | 'removeListItem'>
}

function Newcomers({ form, classes, plans }: NewcomersProps) {
  const addButton = useRef<HTMLButtonElement>(null)
  const [addedIndex, setAddedIndex] = useState<number>()
  const { newcomers } = form.values
  const isByGuardian = isJoinedByGuardian(form.values)
  const add = () => {
    form.insertListItem('newcomers', EMPTY_NEWCOMER)
    setAddedIndex(newcomers.length)
  }
  const remove = (index: number) => {
    form.removeListItem('newcomers', index)
    addButton.current?.focus()
  }
  return (
    <>
      {newcomers.map((newcomer, index) => (
        <NewcomerFields
          key={index}
          title={newcomers.length > 1 ? `Child ${index + 1}` : 'Who is joining'}
          getInputProps={(name) => form.getInputProps(`newcomers.${index}.${name}`)}
          isChild={isByGuardian}
          needsPhone={!isYoungerThan(ADULT_AGE, newcomer)}
          hasFocus={index === addedIndex}
          classes={classes}
          plans={plans}
          age={getAge(newcomer)}
          onRemove={newcomers.length > 1 ? () => remove(index) : undefined}
        />
      ))}
      {isByGuardian && newcomers.length < MAX_CHILDREN && (
        <Button
          ref={addButton}
          variant="light"
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={add}
        >
          Add another child
        </Button>
      )}
    </>
  )
}

const getFirstName = (newcomer: Newcomer | undefined) =>
  firstName(newcomer?.name ?? '') || 'Someone'

const EMERGENCY_NOTE = 'We’ll call this person in an emergency.'

function ContactSection({ form }: { form: Form }) {
  const [newcomer] = form.values.newcomers
  if (isJoinedByGuardian(form.values))
    return (
      <GuardianSection form={form} note="We’ll call you in an emergency." isFilledInByGuardian />
    )
  if (isYoungerThan(ADULT_AGE, newcomer))
    return (
      <GuardianSection
        form={form}
        note={`${getFirstName(newcomer)} is under ${ADULT_AGE}. ${EMERGENCY_NOTE}`}
      />
    )
  return newcomer?.date_of_birth && <EmergencySection form={form} />
}

const LoginSection = ({ form }: { form: Form }) => (
  <Section
    title="Login"
    note={
      isJoinedByGuardian(form.values) &&
      'This is your login. It shows your children’s classes, attendance and fees.'
    }
  >
    <EmailField {...form.getInputProps('email')} description="You’ll use it to log in" />
    <NewPasswordField
      {...form.getInputProps('password')}
      label="Password"
      description="At least 8 characters"
      ownNames={[form.values.email, ...form.values.newcomers.map(({ name }) => name)]}
    />
  </Section>
)

function LoginOwnerField({ form: { values, getInputProps } }: { form: Form }) {
  const [newcomer, ...otherNewcomers] = values.newcomers
  const newcomerName = getFirstName(newcomer)
  if (isYoungerThan(OWN_LOGIN_AGE, newcomer))
    return (
      <Text>
        {otherNewcomers.length > 0
          ? 'Your children don’t'
          : `${newcomerName} is under ${OWN_LOGIN_AGE} and doesn’t`}{' '}
        need a login: you join as their parent or guardian.
      </Text>
    )
  if (otherNewcomers.length > 0 || !isYoungerThan(ADULT_AGE, newcomer)) return null
  return (
    <NativeSelect
      {...getInputProps('logs_in')}
      label="Who logs in?"
      data={[
        { value: 'student', label: `${newcomerName}, with their own email` },
        { value: 'guardian', label: 'A parent or guardian, for all their children' },
      ]}
    />
  )
}

type GuardianProps = {
  form: Form
  note: string
  isFilledInByGuardian?: boolean
}

const GuardianSection = ({
  form: { getInputProps },
  note,
  isFilledInByGuardian = false,
}: GuardianProps) => (
  <Section
    title={isFilledInByGuardian ? 'You, their parent or guardian' : 'Parent or guardian'}
    note={note}
  >
    <TextInput
      {...getInputProps('guardian.name')}
      label={isFilledInByGuardian ? 'Your name' : 'Parent’s or guardian’s name'}
      autoComplete={isFilledInByGuardian ? 'name' : 'off'}
      autoCapitalize="words"
    />
    <NativeSelect
      {...getInputProps('guardian.relation')}
      label="Relation"
      data={[
        { value: '', label: 'Please choose' },
        ...RELATIONS.map((value) => ({ value, label: capitalize(value) })),
      ]}
    />
    <TextInput
      {...getInputProps('guardian.phone')}
      label={isFilledInByGuardian ? 'Your phone number' : 'Parent’s or guardian’s phone number'}
      type="tel"
      autoComplete={isFilledInByGuardian ? 'tel' : 'off'}
    />
    {!isFilledInByGuardian && (
      <EmailField
        {...getInputProps('guardian.email')}
        label="Parent’s or guardian’s email (optional)"
        autoComplete="off"
      />
    )}
  </Section>
)

const EmergencySection = ({ form: { getInputProps } }: { form: Form }) => (
  <Section title="Emergency contact">
    <TextInput
      {...getInputProps('emergency_contact_name')}
      label="Emergency contact name"
      autoComplete="off"
      autoCapitalize="words"
    />
    <TextInput
      {...getInputProps('emergency_contact_phone')}
      label="Emergency contact phone"
      type="tel"
      autoComplete="off"
    />
  </Section>
)

import { sanitizeMoneyInput } from '@tatami/contract/lib/money'
import { Button, Checkbox, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { classesApi, daysText, type DojoClass, timeRange } from '@tatami/contract/classes/classes'
import { FALLBACK_CLASSES } from '@tatami/contract/students/student-form'
import { GENDERS } from '@tatami/contract/accounts/users'
import type { ComponentProps, ReactNode } from 'react'
import { capitalize } from '../lib/text.ts'
import { today } from '../lib/dates.ts'
import { sanitizeInput } from '../lib/form.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { BeltFields } from './belt-fields.tsx'
import styles from './student-fields.module.css'
import type { StudentForm } from './student-form.ts'
import kit from '../ui/kit.module.css'

type Props = {
  form: Pick<
    UseFormReturnType<StudentForm>,
    'getInputProps' | 'setFieldValue' | 'values' | 'getInitialValues'
  >
  /** The classes chosen when the form opened. */
  initialClasses: string[]
  /** Focuses the name even on a phone, where the keyboard then hides the rest, for enrolling several students in a row. */
  focusesName?: boolean
  /** The phone may stay empty. */
  mayLackPhone?: boolean
  /** The field beside the email where a new student's password is set. */
  password?: ReactNode
  /** Whether the student is of a family, for a new one: a guardian's log-in then stands for the student's own. */
  family?: ReactNode
  /** Fields that only apply to an enrolled student. */
  vacation?: ReactNode
  payment?: ReactNode
}

/** Spans all columns. */
const WIDE = { 'data-wide': '' }

const options = (values: readonly string[]) =>
  values.map((value) => ({ value, label: capitalize(value) }))

/** The fields that enrolment and editing share. */
export function StudentFields({
  form,
  initialClasses,
  focusesName,
  mayLackPhone,
  password,
  family,
  vacation,
  payment,
}: Props) {
  // A student of a family has no email of their own, and needs none.
  const hasNoLogIn = !password && form.getInitialValues().email === ''
  const field = (name: keyof StudentForm) => form.getInputProps(name)
  const checkbox = (name: keyof StudentForm) => form.getInputProps(name, { type: 'checkbox' })
  const genders =
    form.values.gender === ''
      ? [{ value: '', label: 'Not specified' }, ...options(GENDERS)]
      : options(GENDERS)
  return (
    <>
      <Section title="Student">
        <TextInput
          label="Name"
          required
          autoComplete="off"
          autoCapitalize="words"
          data-autofocus={focusesName}
          {...field('name')}
        />
        <TextInput
          label="Date of birth"
          type="date"
          required
          max={today()}
          {...field('date_of_birth')}
        />
        <NativeSelect label="Gender" data={genders} {...field('gender')} />
        <TextInput
          label="Phone number"
          type="tel"
          required={!mayLackPhone}
          autoComplete="off"
          {...field('phone_number')}
        />
        {!form.values.is_in_family && (
          <>
            <TextInput
              label="Email"
              type="email"
              required={!hasNoLogIn}
              autoComplete="off"
              wrapperProps={password ? undefined : WIDE}
              {...field('email')}
            />
            {password}
          </>
        )}
      </Section>
      {family}
      <Section title="Emergency contact">
        <TextInput
          label="Emergency contact name"
          required
          autoComplete="off"
          autoCapitalize="words"
          {...field('emergency_contact_name')}
        />
        <TextInput
          label="Emergency contact phone"
          type="tel"
          required
          autoComplete="off"
          {...field('emergency_contact_phone')}
        />
      </Section>
      <Section title="Training">
        <div data-wide>
          <ClassChoice initial={initialClasses} {...field('class_preferences')} />
        </div>
        <BeltFields form={form} />
        <Checkbox
          size="md"
          label="Trial student"
          description="Trying out; pays nothing yet"
          {...checkbox('is_trial')}
        />
        {vacation}
      </Section>
      <Section title="Payment">
        <TextInput
          label="Monthly payment amount"
          required
          inputMode="decimal"
          autoComplete="off"
          placeholder="0.00"
          leftSection="$"
          {...field('monthly_payment_amount')}
          onChange={(event) =>
            form.setFieldValue('monthly_payment_amount', sanitizeInput(event, sanitizeMoneyInput))
          }
        />
        {payment}
      </Section>
    </>
  )
}

const FALLBACK_NAMES = {
  cedar_park: 'Cedar Park',
  travisso: 'Travisso',
  saturday: 'Saturday',
} as const

type ClassChoiceProps = Omit<ComponentProps<typeof Checkbox.Group>, 'children'> & {
  /** The classes chosen when the form opened. */
  initial: string[]
}

/** Offers the dojo's classes, or three fallback preferences when those cannot be loaded. */
function ClassChoice({ initial, ...group }: ClassChoiceProps) {
  const { data, isUnavailable, retry } = useRetryingQuery(endpointQuery(classesApi.list))
  const fallback = FALLBACK_CLASSES.filter((name) => initial.includes(name) || isUnavailable)
  return (
    <Checkbox.Group
      {...group}
      label="Classes"
      size="md"
      required
      inputWrapperOrder={['label', 'error', 'input']}
      tabIndex={-1}
      className={styles.group}
    >
      <Stack gap="sm">
        {!data && !isUnavailable && <Skeletons count={3} height={52} label="" />}
        {isUnavailable && (
          <ErrorNotice onRetry={retry}>Failed to load available classes</ErrorNotice>
        )}
        {data?.length === 0 && <NoClasses />}
        <div className={styles.choices}>
          {data?.map((c) => (
            <ClassOption key={c.id} id={c.id} name={c.class_name} details={schedule(c)} />
          ))}
          {fallback.map((name) => (
            <ClassOption
              key={name}
              id={name}
              name={FALLBACK_NAMES[name]}
              details="A preference, not yet a class"
            />
          ))}
        </div>
      </Stack>
    </Checkbox.Group>
  )
}

const schedule = (c: DojoClass) => (
  <>
    {daysText(c)}, <span className={styles.time}>{timeRange(c)}</span>
  </>
)

const ClassOption = ({ id, name, details }: { id: string; name: string; details: ReactNode }) => (
  <Checkbox value={id} label={name} description={details} className={styles.choice} />
)

const NoClasses = () => (
  <div className={`${kit.stackTight} ${styles.none}`}>
    <Text c="dimmed">No classes available. Please create classes in Class Center first.</Text>
    <Button component={LayoutLink} to="/class-center" replace variant="default">
      Open Class Center
    </Button>
  </div>
)

/** A group of fields, side by side where the width allows. */
export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={styles.section}>
    <legend className={styles.legend}>{title}</legend>
    <div className={styles.fields}>{children}</div>
  </fieldset>
)

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
import { PATHS } from '../lib/paths.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { BeltFields } from './belt-fields.tsx'
import styles from './student-fields.module.css'
import type { StudentForm } from './student-form.ts'
import kit from '../ui/kit.module.css'

type Form = Pick<
  UseFormReturnType<StudentForm>,
  'getInputProps' | 'setFieldValue' | 'values' | 'getInitialValues'
>
type PersonProps = {
  form: Form
  focusesName?: boolean
  isPhoneOptional?: boolean
  password?: ReactNode
}
type Props = PersonProps & {
  initialClasses: string[]
  family?: ReactNode
  vacation?: ReactNode
  payment?: ReactNode
}

const capitalizedOptions = (values: readonly string[]) =>
  values.map((value) => ({ value, label: capitalize(value) }))

export function StudentFields({ initialClasses, family, vacation, payment, ...person }: Props) {
  const { form } = person
  return (
    <>
      <PersonSection {...person} />
      {family}
      <Section title="Emergency contact">
        <TextInput
          label="Emergency contact name"
          required
          autoComplete="off"
          autoCapitalize="words"
          {...form.getInputProps('emergency_contact_name')}
        />
        <TextInput
          label="Emergency contact phone"
          type="tel"
          required
          autoComplete="off"
          {...form.getInputProps('emergency_contact_phone')}
        />
      </Section>
      <Section title="Training">
        <div data-wide>
          <ClassChoice
            initialClasses={initialClasses}
            {...form.getInputProps('class_preferences')}
          />
        </div>
        <BeltFields form={form} />
        <Checkbox
          size="md"
          label="Trial student"
          description="Tries out classes and pays nothing yet"
          {...form.getInputProps('is_trial', { type: 'checkbox' })}
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
          {...form.getInputProps('monthly_payment_amount')}
          onChange={(event) =>
            form.setFieldValue('monthly_payment_amount', sanitizeInput(event, sanitizeMoneyInput))
          }
        />
        {payment}
      </Section>
    </>
  )
}

function PersonSection({ form, focusesName, isPhoneOptional, password }: PersonProps) {
  // An existing student without an email has no login: a guardian logs in instead.
  const isNewStudent = password !== undefined
  const needsEmail = isNewStudent || form.getInitialValues().email !== ''
  const genders = capitalizedOptions(GENDERS)
  if (form.values.gender === '') genders.unshift({ value: '', label: 'Not specified' })
  return (
    <Section title="Student">
      <TextInput
        label="Name"
        required
        autoComplete="off"
        autoCapitalize="words"
        data-autofocus={focusesName}
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Date of birth"
        type="date"
        required
        max={today()}
        {...form.getInputProps('date_of_birth')}
      />
      <NativeSelect label="Gender" data={genders} {...form.getInputProps('gender')} />
      <TextInput
        label="Phone number"
        type="tel"
        required={!isPhoneOptional}
        autoComplete="off"
        {...form.getInputProps('phone_number')}
      />
      {!form.values.is_in_family && (
        <>
          <TextInput
            label="Email"
            type="email"
            required={needsEmail}
            autoComplete="off"
            wrapperProps={password ? undefined : { 'data-wide': '' }}
            {...form.getInputProps('email')}
          />
          {password}
        </>
      )}
    </Section>
  )
}

/** Not real classes. Shown if the dojo's classes cannot be loaded (specification, section 7). */
const FALLBACK_NAMES = {
  cedar_park: 'Cedar Park',
  travisso: 'Travisso',
  saturday: 'Saturday',
} as const

type ClassChoiceProps = Omit<ComponentProps<typeof Checkbox.Group>, 'children'> & {
  initialClasses: string[]
}

/** The dojo's classes. Shows a fallback class if it was saved or the classes cannot be loaded. */
function ClassChoice({ initialClasses, ...groupProps }: ClassChoiceProps) {
  const { data, isUnavailable, retry } = useRetryingQuery(endpointQuery(classesApi.list))
  const fallbackNames = FALLBACK_CLASSES.filter(
    (name) => initialClasses.includes(name) || isUnavailable,
  )
  return (
    <Checkbox.Group
      {...groupProps}
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
          {data?.map((dojoClass) => (
            <ClassOption
              key={dojoClass.id}
              id={dojoClass.id}
              name={dojoClass.class_name}
              details={scheduleText(dojoClass)}
            />
          ))}
          {fallbackNames.map((name) => (
            <ClassOption
              key={name}
              id={name}
              name={FALLBACK_NAMES[name]}
              details="Saved as a preference only"
            />
          ))}
        </div>
      </Stack>
    </Checkbox.Group>
  )
}

const scheduleText = (dojoClass: DojoClass) => (
  <>
    {daysText(dojoClass)}, <span className={styles.time}>{timeRange(dojoClass)}</span>
  </>
)

const ClassOption = ({ id, name, details }: { id: string; name: string; details: ReactNode }) => (
  <Checkbox value={id} label={name} description={details} className={styles.choice} />
)

const NoClasses = () => (
  <div className={`${kit.stackTight} ${styles.noClasses}`}>
    <Text c="dimmed">No classes available. Please create classes in Class Center first.</Text>
    <Button component={LayoutLink} to={PATHS.classCenter} replace variant="default">
      Open Class Center
    </Button>
  </div>
)

export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={styles.section}>
    <legend className={styles.legend}>{title}</legend>
    <div className={styles.fields}>{children}</div>
  </fieldset>
)

import { Button, Checkbox, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { classesApi, daysText, type DojoClass, timeRange } from '@tatami/contract/classes/classes'
import { FALLBACK_CLASSES } from '@tatami/contract/students/student-form'
import { GENDERS } from '@tatami/contract/accounts/users'
import type { ComponentProps, ReactNode } from 'react'
import { capitalize } from '../lib/text.ts'
import { today } from '../lib/dates.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { PATHS } from '../lib/paths.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { BeltFields } from './belt-fields.tsx'
import { FeeField } from './fee-field.tsx'
import styles from './student-fields.module.css'
import { hasStartingPlan, type StudentForm } from './student-form.ts'
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
  childOrAdultChoice?: ReactNode
  guardian?: ReactNode
  vacation?: ReactNode
  /** Lets a new student start with a plan. */
  plan?: ReactNode
  payment?: ReactNode
  /** False for staff who may not see fees. */
  canSeeFees?: boolean
}

const capitalizedOptions = (values: readonly string[]) =>
  values.map((value) => ({ value, label: capitalize(value) }))

export function StudentFields({
  initialClasses,
  childOrAdultChoice,
  guardian,
  vacation,
  plan,
  payment,
  canSeeFees = true,
  ...person
}: Props) {
  const { form } = person
  return (
    <>
      {childOrAdultChoice}
      <PersonSection {...person} />
      {guardian}
      <EmergencySection form={form} />
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
      {canSeeFees && (
        <Section title="Payment">
          {plan}
          {!hasStartingPlan(form.values) && (
            <>
              <FeeField form={form} />
              {payment}
            </>
          )}
        </Section>
      )}
    </>
  )
}

function PersonSection({ form, focusesName, isPhoneOptional, password }: PersonProps) {
  // An existing student without an email has no login, so a guardian logs in.
  const isNewStudent = password !== undefined
  const needsEmail = isNewStudent || form.getInitialValues().email !== ''
  const { is_child, gender } = form.values
  const genders = capitalizedOptions(GENDERS)
  if (gender === '') genders.unshift({ value: '', label: 'Not specified' })
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
      <div className={kit.fieldPair}>
        <TextInput
          label="Date of birth"
          type="date"
          required
          max={today()}
          {...form.getInputProps('date_of_birth')}
        />
        <NativeSelect label="Gender" data={genders} {...form.getInputProps('gender')} />
      </div>
      <TextInput
        label="Phone number"
        description={is_child ? 'If they have their own phone' : undefined}
        type="tel"
        required={!isPhoneOptional && !is_child}
        autoComplete="off"
        {...form.getInputProps('phone_number')}
      />
      {!is_child && (
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

function EmergencySection({ form }: { form: Form }) {
  const { is_child, guardian_id, guardian, guardian_is_emergency_contact } = form.values
  const canBeGuardian = is_child && (guardian_id === '' || guardian.phone !== '')
  return (
    <Section title="Emergency contact">
      {canBeGuardian && (
        <div data-wide>
          <Checkbox
            size="md"
            label="Same as guardian"
            {...form.getInputProps('guardian_is_emergency_contact', { type: 'checkbox' })}
          />
        </div>
      )}
      {!(is_child && guardian_is_emergency_contact) && (
        <>
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

/** Also shows fallback classes that were saved, or if the dojo's classes cannot be loaded. */
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
              details={describeSchedule(dojoClass)}
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

const describeSchedule = (dojoClass: DojoClass) => (
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

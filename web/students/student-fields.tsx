import { Button, Checkbox, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { classesApi, daysText, type DojoClass, timeRange } from '@tatami/contract/classes'
import { type Belt, BELTS, FALLBACK_CLASSES, GENDERS } from '@tatami/contract/students'
import type { ComponentProps, ReactNode } from 'react'
import { capitalised } from '../lib/capitalised.ts'
import { today } from '../lib/dates.ts'
import { stripTyped } from '../lib/form.ts'
import { keepMoney } from '../lib/money.ts'
import { endpointQuery } from '../lib/query.ts'
import { ShellLink } from '../lib/shell.tsx'
import { useRecoveringQuery } from '../lib/use-recovering-query.ts'
import { Belt as DrawnBelt } from '../ui/belt.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import styles from './student-fields.module.css'
import type { StudentForm } from './student-form.ts'

type Props = {
  form: Pick<UseFormReturnType<StudentForm>, 'getInputProps' | 'setFieldValue' | 'values'>
  /** The classes chosen when the form opened. */
  classesBefore: string[]
  /** Begins with the name even on a phone, where the keyboard then hides the rest: for who is enrolling one after another. */
  startsAtName?: boolean
  /** What stands beside the e-mail when a log-in is made. */
  password?: ReactNode
  /** What only somebody who is enrolled already can have. */
  vacation?: ReactNode
  payment?: ReactNode
}

/** Over all columns. */
const WIDE = { 'data-wide': '' }

const options = (values: readonly string[]) => values.map((value) => ({ value, label: capitalised(value) }))

/** What enrolment and editing both ask for. */
export function StudentFields({ form, classesBefore, startsAtName, password, vacation, payment }: Props) {
  const field = (name: keyof StudentForm) => form.getInputProps(name)
  const ticked = (name: keyof StudentForm) => form.getInputProps(name, { type: 'checkbox' })
  const genders = form.values.gender === '' ? [{ value: '', label: 'Not specified' }, ...options(GENDERS)] : options(GENDERS)
  return (
    <>
      <Section title="Student">
        <TextInput label="Name" required autoComplete="off" autoCapitalize="words" data-autofocus={startsAtName} {...field('name')} />
        <TextInput label="Date of birth" type="date" required max={today()} {...field('date_of_birth')} />
        <NativeSelect label="Gender" data={genders} {...field('gender')} />
        <TextInput label="Phone number" type="tel" required autoComplete="off" {...field('phone_number')} />
        <TextInput label="Email" type="email" required autoComplete="off" wrapperProps={password ? undefined : WIDE} {...field('email')} />
        {password}
      </Section>
      <Section title="Emergency contact">
        <TextInput label="Emergency contact name" required autoComplete="off" autoCapitalize="words" {...field('emergency_contact_name')} />
        <TextInput label="Emergency contact phone" type="tel" required autoComplete="off" {...field('emergency_contact_phone')} />
      </Section>
      <Section title="Training">
        <div data-wide>
          <ClassChoice before={classesBefore} {...field('class_preferences')} />
        </div>
        <NativeSelect
          label="Belt level"
          data={options(BELTS)}
          leftSectionWidth="3rem"
          leftSection={<DrawnBelt colour={form.values.belt_level as Belt} size={28} decorative />}
          {...field('belt_level')}
        />
        <Checkbox size="md" label="Trial student" description="Trying out; pays nothing yet" {...ticked('is_trial')} />
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
          onChange={(event) => form.setFieldValue('monthly_payment_amount', stripTyped(event, keepMoney))}
        />
        {payment}
      </Section>
    </>
  )
}

const FALLBACK_NAMES = { cedar_park: 'Cedar Park', travisso: 'Travisso', saturday: 'Saturday' } as const

type ClassChoiceProps = Omit<ComponentProps<typeof Checkbox.Group>, 'children'> & {
  /** The choice as it was when the form opened. */
  before: string[]
}

/** The classes of the dojo to choose from; when they cannot be loaded, three preferences instead (product.md, section 9). */
function ClassChoice({ before, ...group }: ClassChoiceProps) {
  const { data, isMissing, retry } = useRecoveringQuery(endpointQuery(classesApi.list))
  const fallback = FALLBACK_CLASSES.filter((name) => before.includes(name) || isMissing)
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
        {!data && !isMissing && <Skeletons count={3} height={52} label="" />}
        {isMissing && <ErrorNotice onRetry={retry}>Failed to load available classes</ErrorNotice>}
        {data?.length === 0 && <NoClasses />}
        <div className={styles.choices}>
          {data?.map((c) => (
            <Choice key={c.id} id={c.id} name={c.class_name} note={when(c)} />
          ))}
          {fallback.map((name) => (
            <Choice key={name} id={name} name={FALLBACK_NAMES[name]} note="A preference, not yet a class" />
          ))}
        </div>
      </Stack>
    </Checkbox.Group>
  )
}

const when = (c: DojoClass) => (
  <>
    {daysText(c)}, <span className={styles.time}>{timeRange(c)}</span>
  </>
)

const Choice = ({ id, name, note }: { id: string; name: string; note: ReactNode }) => (
  <Checkbox value={id} label={name} description={note} className={styles.choice} />
)

const NoClasses = () => (
  <div className={styles.none}>
    <Text c="dimmed">No classes available. Please create classes in Class Center first.</Text>
    <Button component={ShellLink} to="/class-center" replace variant="default">
      Open Class Center
    </Button>
  </div>
)

/** Fields that belong together, side by side where there is room. */
const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={styles.section}>
    <legend className={styles.legend}>{title}</legend>
    <div className={styles.fields}>{children}</div>
  </fieldset>
)

import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { BELTS, GENDERS, type Belt } from '@tatami/contract/students'
import type { ReactNode } from 'react'
import { today } from '../lib/dates.ts'
import { stripTyped } from '../lib/form.ts'
import { keepMoney } from '../lib/money.ts'
import { Belt as DrawnBelt } from '../ui/belt.tsx'
import { capitalised } from '../lib/capitalised.ts'
import { ClassChoice } from './class-choice.tsx'
import { Section } from './section.tsx'
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

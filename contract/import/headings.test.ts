import { expect, test } from 'vitest'
import { guessFields } from './columns.ts'
import { parseHeading } from './heading-fields.ts'
import { splitInputs } from '../test/split-inputs.ts'

const TODAY = '2026-11-22'
/** Guesses the field of one column, next to columns of names and phone numbers. */
const guessField = (heading: string, values: string[]) =>
  guessFields(
    ['Name', 'Phone', heading],
    values.map((value, index) => [`Ken Adams ${'I'.repeat(index)}`, '512-555-0142', value]),
    TODAY,
  )[2]

test.each(
  splitInputs([
    'Cancelled At, Canceled At, cancelled_at, deactivated_at, Membership Cancelled Date',
    'Date Of Termination, Subscription End, Term End, Out Date, Date Out, Stop Date',
    'Cancellation Date, Left On, Quit Date, Agreement End Date, Member Expires, Former Since',
  ]),
)('reads the heading %s as the date a student left', (heading) => {
  expect(parseHeading(heading)).toBe('left_on')
})

test.each(
  splitInputs([
    'Termination, Cancel, Cancelled?, Ended, Past Student, Ex-Member, Non-Member',
    'Not a member, No Longer Active, Not training, Lapsed, Gone, Alumni, Dead, Has Quit (Y/N)',
    'Is Archived?',
  ]),
)('reads the heading %s as whether a student left', (heading) => {
  expect(guessField(heading, ['Yes', '', 'No'])).toBe('has_left')
})

test.each(
  splitInputs([
    'Active (Y/N), Active Y/N, active?, is_active, Is Member, Attending, Still Training',
    'Currently Training, Currently enrolled (yes/no), Active client',
  ]),
)('reads the heading %s as whether a student is active', (heading) => {
  expect(guessField(heading, ['Yes', '', 'No'])).toBe('is_active')
})

test.each(
  splitInputs([
    'Client Status, Contact Status, Person Status, Program Status, Roster Status, Status Name',
    'Subscription Status, Active/Inactive, State, Type, Category, Lifecycle Stage, Group, Foo',
  ]),
)('recognizes a status column with the heading %s by its values', (heading) => {
  expect(guessField(heading, ['Active', 'Inactive', 'Active'])).toBe('status')
})

test.each(['Reason for leaving', 'Cancellation Reason', 'Why they left', 'Cancel notes'])(
  'reads the heading %s as the reason a student left',
  (heading) => {
    expect(guessField(heading, ['', 'moved away'])).toBe('left_reason')
  },
)

test.each([
  ['Previous School', 'Austin Karate'],
  ['Card Expiration Date', '3/4/2020'],
  ['Waiver Status', 'Expired'],
  ['Waiver Expired', 'Yes'],
  ['Last Drop-in', '3/4/2020'],
  ['Left handed', 'Yes'],
  ['Marital Status', 'Single'],
  ['Payment Status', 'Active'],
  ['Email Opt Out', 'Yes'],
  ['Unsubscribed from emails', 'Yes'],
  ['Photo Consent', 'No'],
  ['Opted into newsletter', 'Yes'],
])('ignores the column %s with the value %s', (heading, value) => {
  expect(guessField(heading, [value, value])).toBeNull()
})

test.each(
  splitInputs([
    'Unsubscribed from SMS, Unsubscribe, Has opted out, SMS Disabled, Texts Off, STOP',
    'Text Opt Out, Exclude from texts, Suppress SMS, Do not text (Y/N), Email/SMS opt out',
    'Opted Out At, No marketing',
  ]),
)('reads the heading %s as an opt-out from texts', (heading) => {
  expect(guessField(heading, ['Yes', 'No'])).toBe('no_texts')
})

test.each(
  splitInputs([
    'Send SMS, Send Texts, Text?, Texts?, Text, Texts, Notify by text, Mobile Opt In',
    'Phone opt in, Marketing Opt In, Marketing Consent, SMS Marketing, TCPA Consent, Consent',
    'Subscribed, sms_ok, Text Consent, OK to text, Cell (OK to text), SMS consent date',
  ]),
)(
  'reads the heading %s as consent to texts, whether its values are answers or dates',
  (heading) => {
    expect(guessField(heading, ['Yes', 'No'])).toBe('text_consent')
    expect(guessField(heading, ['2019-03-04', '2019-03-05', '3/6/2019', 'No'])).toBe('text_consent')
    expect(guessField(heading, ['43528', '43529', 'No'])).toBe('text_consent')
  },
)

test('reads a column of phone numbers as phones even if its heading mentions consent', () => {
  expect(guessField('Cell (OK to text)', ['512-555-0188', '512-555-0199'])).toBe('phone_number')
})

test.each(['Preferred Contact', 'Contact Preference', 'Communication Preferences'])(
  'reads the heading %s as the contact preference',
  (heading) => {
    expect(guessField(heading, ['Email only', 'No texts', 'Any'])).toBe('contact_preference')
  },
)

const NAMES = ['Ken Adams', 'Mia Ruiz']

test.each(['Member?', 'Member', 'Student', 'Student?', 'Child', 'Participant'])(
  'reads names from the column %s only if no other column has them',
  (heading) => {
    for (const answers of [
      ['Yes', 'No'],
      ['Gold', 'Silver'],
      ['17', '18'],
      ['Ken A', 'Mia R'],
    ]) {
      const rows = NAMES.map((name, index) => [name, answers[index] ?? ''])
      expect(guessFields(['Name', heading], rows, TODAY)[0]).toBe('name')
      const reversedRows = rows.map((row) => row.toReversed())
      expect(guessFields([heading, 'Name'], reversedRows, TODAY)[1]).toBe('name')
      const fields = guessFields(
        ['First', 'Last', heading],
        rows.map(([, answer = '']) => ['Ken', 'Adams', answer]),
        TODAY,
      )
      expect(fields).not.toContain('name')
    }
    expect(guessFields([heading], [['Ken Adams'], ['Mia Ruiz']], TODAY)).toEqual(['name'])
  },
)

test.each(['Stop Date', 'Opted Out At', 'First class', 'Date', 'Changed on', 'Registered'])(
  'does not read the dates under %s as birthdays',
  (heading) => {
    expect(guessField(heading, ['3/6/2014', '3/7/2013'])).not.toBe('date_of_birth')
  },
)

test.each(
  splitInputs([
    "Student’s date of birth, Student's Date of Birth, Child’s birthday, Participant DOB",
    'Camper’s Birthday, Kid’s DOB, Member DOB, Athlete’s Birthdate, Student: DOB',
    'Birthday of student, DOB (MM/DD/YYYY), Child’s date of birth (MM/DD/YYYY)',
    'Birthdate (required), D.O.B., Date de naissance, Data di nascita, Date of Birth*',
    'Date of birth (if under 18), Student Birth Date, Customer Birthday',
  ]),
)('reads %s as the birthday, and not the time a form was submitted', (heading) => {
  for (const timeHeading of [
    'Timestamp',
    'Submitted',
    'Date submitted',
    'Submission Date',
    'Start time',
    'Completion time',
    'Submitted On (UTC)',
    'Created at',
  ]) {
    const headings = [timeHeading, 'Student Name', heading]
    const row = ['11/2/2020 10:00:00', 'Ken Adams', '3/14/2014']
    expect([timeHeading, guessFields(headings, [row], TODAY)]).toEqual([
      timeHeading,
      [null, 'name', 'date_of_birth'],
    ])
  }
})

test.each(['Timestamp', 'Submitted', 'Completion time', 'Parent DOB', 'Mother’s birthday', 'Foo'])(
  'does not read the column %s as the birthday of students',
  (heading) => {
    const isOfParent = heading.includes('DOB') || heading.includes('birthday')
    const values = isOfParent
      ? ['3/14/1984', '3/15/1985']
      : ['3/14/2014 10:02:11', '3/15/2013 8:04']
    expect(guessField(heading, values)).not.toBe('date_of_birth')
    expect(guessField('Foo', ['11/2/2026', '11/3/2026'])).toBeNull()
  },
)

test('reads a date at midnight as a birthday', () => {
  expect(guessField('Foo', ['3/14/2014 0:00:00', '2013-03-15T00:00:00Z'])).toBe('date_of_birth')
})

test.each([
  ['Type', ['Student', 'Parent', 'Staff']],
  ['Role', ['Student', 'Instructor']],
  ['Member Type', ['Member', 'Non-member parent', 'Lead']],
  ['Contact Type', ['Student', 'Emergency contact']],
  ['Person Type', ['STUDENT', 'PROSPECT', 'ALUMNI']],
  ['Membership', ['Inactive', 'Monthly', 'Former member']],
  ['Plan', ['Gold', 'Frozen', 'Silver']],
])('reads the column %s with the values %j as the member type', (heading, values) => {
  expect(guessField(heading, values)).toBe('member_type')
})

test.each([
  ['Membership', ['Monthly', 'Kids Unlimited']],
  ['Plan', ['Gold', 'Silver', 'Twice a week']],
  ['Package Name', ['10 Class Card', 'Unlimited']],
  ['current_plan', ['Family of 4']],
])('reads the column %s with the values %j as the membership', (heading, values) => {
  expect(guessField(heading, values)).toBe('membership_plan')
})

test.each([
  ['Type', ['Karate', 'Judo']],
  ['Account Type', ['Parent', 'Student']],
  ['Plan', ['120', '95']],
  ['Membership', ['Yes', 'No']],
  ['Membership', ['Former Military Discount', 'Monthly']],
])('ignores the column %s with the values %j', (heading, values) => {
  expect(guessField(heading, values)).toBeNull()
})

test.each([
  ['Trial Y/N', 'is_trial'],
  ['Trial (Y/N)', 'is_trial'],
  ['Vacation - Yes/No', 'on_vacation'],
  ['Date of birth required', 'date_of_birth'],
  ['Birthday MM/DD/YYYY', 'date_of_birth'],
  ['Emergency contact phone required', 'emergency_contact_phone'],
  ['Allergies optional', 'allergies'],
])('reads the heading %s as %s, ignoring the answer format', (heading, field) => {
  expect(guessFields(['Name', heading], [], TODAY)[1]).toBe(field)
})

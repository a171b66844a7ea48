import { ageOn } from '../lib/calendar-day.ts'
import { z } from 'zod'
import { newPassword } from '../accounts/accounts.ts'
import { dojoClass } from '../classes/classes.ts'
import { dojoCard } from '../pictures/pictures.ts'
import { JOIN_WORDINGS } from '../texting/consent-versions.ts'
import {
  calendarDate,
  email,
  emptyAsUndefined,
  properName,
  oneOf,
  phone,
  singleLineText,
  uuid,
} from '../lib/fields.ts'
import {
  ADULT_AGE,
  guardianContact,
  guardianOfStudent,
  OWN_LOGIN_AGE,
  RELATIONS,
} from '../guardians/guardians.ts'
import { publicPlan } from '../plans/public-plans.ts'
import { BIRTH_DATE_IN_FUTURE } from '../students/student-form.ts'

const invite_code = singleLineText('Invitation', 100)

const text_consent = z
  .object({ wording_version: oneOf('Wording', JOIN_WORDINGS) }, 'The consent is not valid')
  .nullish()

const newcomerFields = {
  name: properName('Name'),
  date_of_birth: calendarDate('Date of birth'),
  phone_number: emptyAsUndefined(phone('Phone number')),
  /** The student's classes after an instructor approves the student. */
  class_preferences: z
    .array(uuid('Class'), { error: 'Classes must be a list' })
    .max(100, 'At most 100 classes')
    .optional(),
  /** The plan starts when an instructor approves the student. */
  plan_id: emptyAsUndefined(uuid('Plan')),
}

/** Joins by invitation (docs/modules/students-joining.md). */
export const joinForm = z.object({
  ...newcomerFields,
  email: email(),
  password: newPassword,
  invite_code,
  date_of_birth: emptyAsUndefined(newcomerFields.date_of_birth),
  emergency_contact_name: emptyAsUndefined(properName('Emergency contact name')),
  emergency_contact_phone: emptyAsUndefined(phone('Emergency contact phone')),
  guardian: guardianOfStudent.nullish(),
  text_consent,
})
export type JoinForm = z.output<typeof joinForm>

export const MAX_CHILDREN = 10
const child = z.object(newcomerFields, 'A child must be an object')
const children = (childSchema: z.ZodType<z.output<typeof child>> = child) =>
  z
    .array(childSchema, 'Children must be a list')
    .min(1, 'Name at least one child')
    .max(MAX_CHILDREN, `At most ${MAX_CHILDREN} children`)

/** A guardian joins with children under 18, who share the guardian's login. */
export const guardianJoinForm = z.object({
  guardian: z.object(
    {
      name: guardianContact.name,
      relation: emptyAsUndefined(oneOf('Relation', RELATIONS)),
      phone: phone('Phone number'),
    },
    'The guardian is not valid',
  ),
  children: children(),
  email: email(),
  password: newPassword,
  invite_code,
  text_consent,
})
export type GuardianJoinForm = z.output<typeof guardianJoinForm>

export const NO_LOGIN_UNDER_13 = `Children under ${OWN_LOGIN_AGE} need a parent or guardian to sign them up`
export const ADULTS_JOIN_THEMSELVES = `Students ${ADULT_AGE} and older need their own account`

type PartialForm = { [Field in keyof JoinForm]?: JoinForm[Field] | undefined }
const isYoungerThan = (age: number, today: string, { date_of_birth }: PartialForm) =>
  date_of_birth !== undefined && ageOn(today, date_of_birth) < age
const isMinor = (today: string, form: PartialForm) => isYoungerThan(ADULT_AGE, today, form)
const isAdult = (today: string, form: PartialForm) =>
  form.date_of_birth !== undefined && !isMinor(today, form)

const requiredMessage = (label: string) => `${label} is required`
const REQUIRED_FOR_ADULTS = [
  ['phone_number', 'Phone number'],
  ['emergency_contact_name', 'Emergency contact name'],
  ['emergency_contact_phone', 'Emergency contact phone'],
] as const

type FormRule = [isValid: (form: PartialForm) => boolean, path: string[], error: string]
const isForm = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null
function addRules<S extends z.ZodType>(schema: S, rules: FormRule[]): S {
  let form = schema
  for (const [isValid, path, error] of rules)
    form = form.refine((value) => isValid(value as PartialForm), { path, error, when: isForm })
  return form
}

const newcomerRules = (today: string, offersClasses: boolean): FormRule[] => [
  [({ date_of_birth = '' }) => date_of_birth <= today, ['date_of_birth'], BIRTH_DATE_IN_FUTURE],
  [
    ({ class_preferences = [] }) => !offersClasses || class_preferences.length > 0,
    ['class_preferences'],
    'Choose at least one class',
  ],
]

/** The join page requires more than the API, so that an instructor does not have to ask. */
export const fullJoinForm = (today: string, offersClasses: boolean): z.ZodType =>
  addRules(joinForm, [
    [
      ({ date_of_birth }) => date_of_birth !== undefined,
      ['date_of_birth'],
      requiredMessage('Date of birth'),
    ],
    ...newcomerRules(today, offersClasses),
    [(form) => !isYoungerThan(OWN_LOGIN_AGE, today, form), ['date_of_birth'], NO_LOGIN_UNDER_13],
    ...REQUIRED_FOR_ADULTS.map(([field, label]): FormRule => [
      (form) => !isAdult(today, form) || form[field] !== undefined,
      [field],
      requiredMessage(label),
    ]),
    [
      (form) => !isMinor(today, form) || Boolean(form.guardian?.name),
      ['guardian', 'name'],
      requiredMessage('Name'),
    ],
    [
      (form) => !isMinor(today, form) || Boolean(form.guardian?.phone),
      ['guardian', 'phone'],
      requiredMessage('Phone number'),
    ],
    [
      (form) => !isMinor(today, form) || Boolean(form.guardian?.relation),
      ['guardian', 'relation'],
      requiredMessage('Relation'),
    ],
  ])

export const fullGuardianJoinForm = (today: string, offersClasses: boolean): z.ZodType =>
  addRules(
    guardianJoinForm.extend({
      children: children(
        addRules(child, [
          ...newcomerRules(today, offersClasses),
          [(form) => !isAdult(today, form), ['date_of_birth'], ADULTS_JOIN_THEMSELVES],
        ]),
      ),
    }),
    [
      [
        ({ guardian }) => Boolean(guardian?.relation),
        ['guardian', 'relation'],
        requiredMessage('Relation'),
      ],
    ],
  )

export const invitationDetails = z.object({
  ...dojoCard,
  time_zone: z.string(),
  /** The plans to choose from. */
  plans: z.array(publicPlan),
  classes: z.array(
    dojoClass.pick({
      id: true,
      class_name: true,
      class_days: true,
      class_start_time: true,
      class_end_time: true,
      class_day: true,
      location: true,
      class_time: true,
      time: true,
      day: true,
      days: true,
      start_time: true,
      end_time: true,
    }),
  ),
})
export type InvitationDetails = z.output<typeof invitationDetails>

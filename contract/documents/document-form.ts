import { z } from 'zod'
import { clearable, emptyAsUndefined, flag, oneOf, singleLineText } from '../lib/fields.ts'
import { documentTexts } from './document-texts.ts'

export const DOCUMENT_KINDS = [
  'waiver',
  'agreement',
  'policy',
  'medical',
  'photo',
  'other',
] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

/** Who signs for a child. Adults sign for themselves, except that a payer signs for anybody. */
export const SIGNERS = ['student', 'guardian', 'payer', 'each_guardian'] as const
export type Signer = (typeof SIGNERS)[number]

/** Who needs the document. Nobody needs one for an event until they are asked. */
export const PURPOSES = ['trial', 'enrolment', 'plan', 'event', 'everybody'] as const
export type Purpose = (typeof PURPOSES)[number]

export const DUE_TIMES = ['before', 'first_check_in', 'within_days'] as const
export type DueTime = (typeof DUE_TIMES)[number]

const MAX_DUE_DAYS = 365
const MAX_VALID_MONTHS = 120
const DEFAULT_MIN_AGE = 18

const wholeNumber = (label: string, min: number, max: number) => {
  const message = `${label} must be a whole number from ${min} to ${max}`
  return z.number(message).int(message).min(min, message).max(max, message)
}

/** A day of every year, such as 08-31. February 29 is not one of them. */
const DAY_OF_YEAR =
  /^(?:0[13578]-(?:0[1-9]|[12]\d|3[01])|1[02]-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))$/
const dayOfYear = z
  .string('Valid until must be a day such as 08-31')
  .max(5, 'Valid until must be a day such as 08-31')
  .regex(DAY_OF_YEAR, 'Valid until must be a day such as 08-31')

const documentSettings = {
  name: singleLineText('Name', 100),
  kind: oneOf('Kind', DOCUMENT_KINDS),
  signer: oneOf('Who signs', SIGNERS),
  purpose: oneOf('Needed for', PURPOSES),
  due: oneOf('When', DUE_TIMES),
  /** The number of days after enrolling. Only for `within_days`. */
  due_days: clearable(wholeNumber('Days', 1, MAX_DUE_DAYS)),
  /** How many months a signature is valid. Null for good, or until `valid_until_day`. */
  valid_months: clearable(wholeNumber('Months', 1, MAX_VALID_MONTHS)),
  valid_until_day: clearable(dayOfYear),
  /** Younger students cannot sign alone. */
  min_age: emptyAsUndefined(wholeNumber('Minimum age', 0, 99)),
  /** Whether the PDF contains the answers to medical questions. */
  has_medical_answers_in_pdf: flag('Medical answers in the PDF'),
}

export const documentForm = z
  .object({ ...documentSettings, texts: documentTexts })
  .refine(({ due, due_days }) => due !== 'within_days' || typeof due_days === 'number', {
    error: 'Days is required',
    path: ['due_days'],
  })
  .refine(({ valid_months, valid_until_day }) => !valid_months || !valid_until_day, {
    error: 'Choose months or a day, not both',
    path: ['valid_until_day'],
  })
export type DocumentForm = z.output<typeof documentForm>

export const DEFAULT_DOCUMENT = {
  signer: 'guardian',
  purpose: 'everybody',
  due: 'before',
  min_age: DEFAULT_MIN_AGE,
} as const satisfies Partial<DocumentForm>

/** Who signs a new version: everybody anew, or only people who have not signed an earlier one. */
export const RESIGN_CHOICES = ['all', 'new_only'] as const
export const publication = z.object({ resign: oneOf('Who signs', RESIGN_CHOICES) })

export const MAX_KEPT_YEARS = 30
export const MAX_GROWN_UP_DAYS = 365
export const documentRules = z.object({
  /** Whether the kiosk sends students without a signature to the instructor. */
  is_holding: flag('Hold at the kiosk'),
  /** How long a signed waiver of a deleted student is kept. Null until 2 years after the 20th
   *  birthday. */
  kept_years: clearable(wholeNumber('Years', 1, MAX_KEPT_YEARS)),
  /** How long a guardian’s signature still counts after the student’s 18th birthday. */
  grown_up_days: wholeNumber('Days', 0, MAX_GROWN_UP_DAYS),
})
export const DEFAULT_RULES = { is_holding: false, kept_years: null, grown_up_days: 30 } as const

import { ADULT_AGE, OWN_LOGIN_AGE } from '@tatami/contract/guardians/guardians'
import { email, properName } from '@tatami/contract/lib/fields'
import type { ContactPurpose } from '@tatami/contract/trials/trials'
import { ageOn, isDay } from '@tatami/contract/lib/calendar-day'
import { now } from '../lib/clock.ts'
import { validPhone } from '../lib/phone.ts'
import { pick } from '../lib/rows.ts'
import { newSecret } from '../lib/secrets.ts'
import type { OfferRow } from './offers.ts'

export const VISITORS = ['child', 'self'] as const
export type VisitorKind = (typeof VISITORS)[number]

/** What is in the fields of the booking form. */
export type FormValues = {
  visitor: string
  age: string
  birthday: string
  name: string
  email: string
  phone: string
  acceptsTexts: boolean
  wantsNews: boolean
}
export const EMPTY_FORM: FormValues = {
  visitor: '',
  age: '',
  birthday: '',
  name: '',
  email: '',
  phone: '',
  acceptsTexts: false,
  wantsNews: false,
}

/** Names of errors, whose words are in words.ts. */
export type FormErrors = Partial<
  Record<
    'visitor' | 'age' | 'name' | 'email' | 'phone' | 'contact' | 'form',
    | 'visitor'
    | 'age'
    | 'ageChild'
    | 'birthday'
    | 'adult'
    | 'minor'
    | 'range'
    | 'name'
    | 'email'
    | 'phone'
    | 'contact'
    | 'again'
    | 'taken'
    | 'takenAll'
    | 'takenPaid'
    | 'takenAllPaid'
    | 'busy'
  >
>

export type CheckedVisitor = {
  visitor_name: string
  visitor_age: number
  visitor_birthday: string | null
  name: string
  email: string | null
  phone: string | null
  is_for: VisitorKind
  purposes: ContactPurpose[]
}

export type CheckedForm =
  | { visitor: CheckedVisitor }
  /** `kind` and `values` are what the form shows next. */
  | { errors: FormErrors; kind: VisitorKind; values: FormValues }

/** A key for a new form. It begins with the time, because people need a moment to fill a form. */
export const newFormKey = (): string => `${now().getTime().toString(36)}.${newSecret()}`

const FORM_KEY = /^([0-9a-z]{8,9})\.[\w-]{43}$/
const MIN_FILL_MS = 1500

export type FormKeyState = 'valid' | 'too fast' | 'invalid'

/** Programs fill a form faster than people. */
export function checkFormKey(key: string): FormKeyState {
  const openedAt = FORM_KEY.exec(key)?.[1]
  if (openedAt === undefined) return 'invalid'
  return now().getTime() - Number.parseInt(openedAt, 36) < MIN_FILL_MS ? 'too fast' : 'valid'
}

const fieldOf = (form: URLSearchParams, name: string): string =>
  (form.get(name) ?? '').slice(0, 300).trim()

export const readValues = (form: URLSearchParams): FormValues => ({
  visitor: fieldOf(form, 'visitor'),
  age: fieldOf(form, 'age'),
  birthday: fieldOf(form, 'birthday'),
  name: fieldOf(form, 'name'),
  email: fieldOf(form, 'email'),
  phone: fieldOf(form, 'phone'),
  acceptsTexts: form.get('accepts_texts') === 'yes',
  wantsNews: form.get('wants_news') === 'yes',
})

export const readVisitorKind = (text: unknown): VisitorKind | null =>
  VISITORS.find((kind) => kind === text) ?? null

export const readDay = (text: unknown): string | null =>
  typeof text === 'string' && isDay(text) ? text : null

const parseAge = (text: string): number | null => {
  const age = /^\d{1,3}$/.test(text) ? Number(text) : 0
  return age >= 1 && age <= 120 ? age : null
}

/** What decides who may come: the offer, and the day of the class. */
export type AgeRules = Pick<OfferRow, 'min_age' | 'max_age' | 'asks_birthday'> & { day: string }

const isOutside = (age: number, { min_age, max_age }: AgeRules): boolean =>
  (min_age !== null && age < min_age) || (max_age !== null && age > max_age)

const MAX_AGE = 120

/** The age on the day of the class. */
function readAge({ age, birthday }: FormValues, { asks_birthday, day }: AgeRules): number | null {
  if (!asks_birthday) return parseAge(age)
  if (!isDay(birthday) || birthday >= day) return null
  const ageOnDay = ageOn(day, birthday)
  return ageOnDay <= MAX_AGE ? ageOnDay : null
}

/** Checks what a visitor typed. Minors who fill in the form themselves get the form for parents;
 *  of children under 13, nothing that they typed is kept. */
export function checkForm(values: FormValues, kind: VisitorKind, rules: AgeRules): CheckedForm {
  const age = readAge(values, rules)
  if (kind === 'self' && age !== null && age < ADULT_AGE) {
    const keptValues =
      age < OWN_LOGIN_AGE
        ? EMPTY_FORM
        : {
            ...EMPTY_FORM,
            visitor: values.visitor || values.name,
            ...pick(values, 'age', 'birthday'),
          }
    return { errors: { form: 'minor' }, kind: 'child', values: keptValues }
  }
  if (kind === 'child' && age !== null && age >= ADULT_AGE)
    return { errors: { form: 'adult' }, kind: 'self', values: { ...values, visitor: '' } }
  const errors = findErrors(values, kind, rules)
  if (Object.keys(errors).length > 0 || age === null) return { errors, kind, values }
  const visitor_birthday = rules.asks_birthday ? values.birthday : null
  return { visitor: { ...toVisitor(values, kind), visitor_age: age, visitor_birthday } }
}

function missingAgeError(kind: VisitorKind, { asks_birthday }: AgeRules): FormErrors['age'] {
  if (asks_birthday) return 'birthday'
  return kind === 'child' ? 'ageChild' : 'age'
}

function findErrors(values: FormValues, kind: VisitorKind, rules: AgeRules): FormErrors {
  const age = readAge(values, rules)
  const hasContact = values.email !== '' || values.phone !== ''
  return {
    ...(kind === 'child' && !isName(values.visitor) && { visitor: 'visitor' as const }),
    ...(age === null && { age: missingAgeError(kind, rules) }),
    ...(age !== null && isOutside(age, rules) && { age: 'range' as const }),
    ...(!isName(values.name) && { name: 'name' as const }),
    ...(!hasContact && { contact: 'contact' as const }),
    ...(values.email !== '' && !isEmail(values.email) && { email: 'email' as const }),
    ...(values.phone !== '' && validPhone(values.phone) === null && { phone: 'phone' as const }),
  }
}

const nameSchema = properName('Name')
const emailSchema = email()
const isName = (text: string): boolean => nameSchema.safeParse(text).success
const isEmail = (text: string): boolean => emailSchema.safeParse(text).success

function toVisitor(
  values: FormValues,
  kind: VisitorKind,
): Omit<CheckedVisitor, 'visitor_age' | 'visitor_birthday'> {
  const name = nameSchema.parse(values.name)
  const phone = values.phone === '' ? null : validPhone(values.phone)
  const visitorEmail = values.email === '' ? null : emailSchema.parse(values.email)
  return {
    visitor_name: kind === 'child' ? nameSchema.parse(values.visitor) : name,
    name,
    email: visitorEmail,
    phone,
    is_for: kind,
    purposes: [
      ...(values.acceptsTexts && phone !== null ? (['service_text'] as const) : []),
      ...(values.wantsNews && visitorEmail !== null ? (['marketing'] as const) : []),
    ],
  }
}

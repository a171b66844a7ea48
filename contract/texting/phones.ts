import { z } from 'zod'
import { personFields } from './bulk-message.ts'
import type { Api } from '../lib/endpoint.ts'
import { clearable, emptyAsUndefined, flag, unrestrictedName, oneOf, uuid } from '../lib/fields.ts'
import { MAX_STUDENTS, DUPLICATE_STUDENT, RELATIONS } from '../guardians/guardians.ts'

const e164 = z
  .string({ error: 'Phone number is not valid' })
  .regex(/^\+[1-9]\d{6,14}$/, 'Phone number is not valid')
export const phoneParams = z.object({ phone: e164 })

/** Whose phone it is. A `linked` phone is one that an instructor has linked to the student. */
export const HOLDERS = ['student', 'guardian', 'linked'] as const

/** A student who gets texts at a phone, and the owner of that phone. */
const holder = z.object({
  ...personFields,
  holder: z.enum(HOLDERS),
  holder_name: z.string().nullable(),
})
export type PhoneHolder = z.output<typeof holder>

const CONSENT_TOPICS = ['dues', 'classes', 'promotions'] as const
/** `paper` is a form that the instructor keeps. */
export const CONSENT_SOURCES = [
  'form',
  'enrolment',
  'START',
  'paper',
  'STOP',
  'instructor',
  'import',
] as const
/** Sources that do not decide: a STOP is stored as an opt-out, and anybody can send a form. */
export const NON_DECISIVE_SOURCES: readonly (typeof CONSENT_SOURCES)[number][] = ['form', 'STOP']
export const consent = z.object({
  id: z.uuid(),
  event: z.enum(['given', 'revoked']),
  source: z.enum(CONSENT_SOURCES),
  given_by: z.string().nullable(),
  topics: z.array(z.enum(CONSENT_TOPICS)),
  wording_version: z.string().nullable(),
  /** What an imported list or a text said about consent */
  words: z.string().nullable(),
  at: z.string(),
})
export type TextConsent = z.output<typeof consent>

/** Returns the consent that applies. `consents` are newest first. A form counts only if nothing
 *  else decides. */
export const decisiveConsent = <Consent extends Pick<TextConsent, 'source'>>(
  consents: readonly Consent[],
): Consent | undefined =>
  consents.find(({ source }) => !NON_DECISIVE_SOURCES.includes(source)) ??
  consents.find(({ source }) => source === 'form')

/** An `undeliverable` phone still gets texts that are written to this student alone. */
const PHONE_OBSTACLES = ['replied_stop', 'withdrawn', 'undeliverable'] as const

export const studentPhone = z.object({
  phone_number: z.string(),
  holder: z.enum(['student', 'guardian']),
  holder_name: z.string().nullable(),
  obstacle: z.enum(PHONE_OBSTACLES).nullable(),
})
export type StudentPhone = z.output<typeof studentPhone>

export const phoneWithPeople = { phone_number: z.string(), people: z.array(holder) }
const phoneInfo = z.object({
  ...phoneWithPeople,
  linked_guardians: z.array(z.object({ id: z.uuid(), name: z.string() })),
  opted_out_at: z.string().nullable(),
  /** When a text from the phone asked to stop the texts. Null once an instructor has decided. */
  stop_asked_at: z.string().nullable(),
  consents: z.array(consent),
})
export type PhoneInfo = z.output<typeof phoneInfo>

export const phoneLinkForm = z.object({
  student_id: uuid('Student'),
  holder_name: clearable(unrestrictedName('Name')),
})
const ONE_GUARDIAN_REQUIRED = 'Name a new guardian or choose one'
export const guardianLinkForm = z
  .object({
    guardian_id: emptyAsUndefined(uuid('Guardian')),
    guardian: z
      .object(
        {
          name: unrestrictedName('Name'),
          relation: emptyAsUndefined(oneOf('Relation', RELATIONS)),
          student_ids: z
            .array(uuid('Student'), { error: 'Students are not valid' })
            .min(1, 'Choose at least one student')
            .max(MAX_STUDENTS, `At most ${MAX_STUDENTS} students`)
            .refine((ids) => new Set(ids).size === ids.length, DUPLICATE_STUDENT),
        },
        'The guardian is not valid',
      )
      .optional(),
  })
  .refine((form) => (form.guardian_id === undefined) !== (form.guardian === undefined), {
    error: ONE_GUARDIAN_REQUIRED,
    path: ['guardian'],
  })
export type GuardianLinkForm = z.output<typeof guardianLinkForm>

export const consentRecord = z.object({
  event: oneOf('Event', ['given', 'revoked']),
  given_by: unrestrictedName('Name'),
})

export const phonesApi = {
  phone: {
    method: 'GET',
    path: '/sms/phones/:phone',
    access: 'instructor',
    right: 'texts.read',
    summary: 'Who uses the phone, whether it gets texts, and who agreed to them and when',
    params: phoneParams,
    reply: phoneInfo,
  },
  link: {
    method: 'PUT',
    path: '/sms/conversations/:phone/student',
    access: 'instructor',
    right: 'texts.send',
    summary: 'Link an unknown number to a student',
    params: phoneParams,
    body: phoneLinkForm,
    reply: phoneInfo,
  },
  unlink: {
    method: 'DELETE',
    path: '/sms/conversations/:phone/student',
    access: 'instructor',
    right: 'texts.send',
    summary: 'Unlink a number from a student',
    params: phoneParams,
    query: z.object({ student_id: uuid('Student') }),
    reply: phoneInfo,
  },
  linkGuardian: {
    method: 'POST',
    path: '/sms/conversations/:phone/guardian',
    access: 'instructor',
    right: 'texts.send',
    summary: 'Link an unknown number to a guardian, or to a new guardian of these students',
    idempotent: true,
    params: phoneParams,
    body: guardianLinkForm,
    reply: z.object({ phone: phoneInfo, guardian_id: z.uuid() }),
  },
  unlinkGuardian: {
    method: 'DELETE',
    path: '/sms/conversations/:phone/guardian',
    access: 'instructor',
    right: 'texts.send',
    summary: 'Unlink a number from a guardian, even if it is their own',
    params: phoneParams,
    query: z.object({ guardian_id: uuid('Guardian') }),
    reply: phoneInfo,
  },
  addConsent: {
    method: 'POST',
    path: '/sms/phones/:phone/consents',
    access: 'instructor',
    right: 'texts.send',
    summary: 'Record that somebody agreed to texts on paper, or no longer agrees',
    idempotent: true,
    params: phoneParams,
    body: consentRecord,
    reply: phoneInfo,
  },
  decideStopRequest: {
    method: 'PUT',
    path: '/sms/conversations/:phone/stop-request',
    access: 'instructor',
    right: 'texts.send',
    summary: 'Decide a stop request: stop texting the phone, or keep texting it',
    params: phoneParams,
    body: z.object({ ends_texts: flag('End texts') }),
    reply: phoneInfo,
  },
  undoStopDecision: {
    method: 'PUT',
    path: '/sms/conversations/:phone/stop-request/undo',
    access: 'instructor',
    right: 'texts.send',
    summary: 'Undo the last decision about a stop request, within two minutes',
    params: phoneParams,
    reply: phoneInfo,
  },
} as const satisfies Api

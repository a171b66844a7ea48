import { z } from 'zod'
import { RELATIONS } from '../guardians/guardians.ts'
import { hiddenWithout, studentName } from '../rights.ts'
import { DOCUMENT_KINDS } from './document-form.ts'
import { givenAnswer } from './document-texts.ts'

export const SIGNER_KINDS = ['student', 'guardian', 'other'] as const
export type SignerKind = (typeof SIGNER_KINDS)[number]

/** How somebody signed. */
export const SIGNING_CHANNELS = ['login', 'phone', 'mail', 'kiosk', 'device', 'paper'] as const
export type SigningChannel = (typeof SIGNING_CHANNELS)[number]

/** What is known about one document of one person.
 *  - `missing`, `expired`: nobody has signed it, or the signature is over.
 *  - `unconfirmed`: somebody signed whom an instructor has to confirm.
 *  - `earlier_version`, `signed_as_minor`: the signature still counts, but a new one is asked for. */
export const SIGNING_STATES = [
  'missing',
  'expired',
  'unconfirmed',
  'earlier_version',
  'signed_as_minor',
  'signed',
] as const
export type SigningState = (typeof SIGNING_STATES)[number]

/** True if the person has no signature that counts. */
export const isUnsigned = (state: SigningState): boolean =>
  state === 'missing' || state === 'expired' || state === 'unconfirmed'

/** A signature is about to end from this many days before its last day. */
export const EXPIRY_NOTICE_DAYS = [30, 7] as const

export const neededDocument = z.object({
  document_id: z.uuid(),
  name: z.string(),
  kind: z.enum(DOCUMENT_KINDS),
  state: z.enum(SIGNING_STATES),
  /** The last day to sign. Null if the document is needed at the first class. */
  due_on: z.string().nullable(),
  /** The last day of the signature. */
  expires_on: z.string().nullable(),
  signed_at: z.string().nullable(),
})
export type NeededDocument = z.output<typeof neededDocument>

/** A signature as the staff see it. */
export const signature = z.object({
  id: z.uuid(),
  document_id: z.uuid(),
  document_name: z.string(),
  version: z.number(),
  language: z.string(),
  student_id: z.uuid().nullable(),
  person_name: studentName(),
  signer_kind: z.enum(SIGNER_KINDS),
  signer_name: hiddenWithout('students.contact', z.string().nullable(), null),
  relation: hiddenWithout('students.contact', z.enum(RELATIONS).nullable(), null),
  phone: hiddenWithout('students.contact', z.string().nullable(), null),
  signed_at: z.string(),
  time_zone: z.string(),
  channel: z.enum(SIGNING_CHANNELS),
  /** The member of staff who recorded a signature on paper. */
  recorded_by: z.string().nullable(),
  is_signed_as_minor: z.boolean(),
  needs_confirmation: z.boolean(),
  expires_on: z.string().nullable(),
  revoked_at: z.string().nullable(),
  revoked_reason: z.string().nullable(),
  has_file: z.boolean(),
  /** SHA-256 of the PDF. */
  pdf_hash: z.string().nullable(),
  answers: z.array(givenAnswer),
  medical_answers: hiddenWithout('medical', z.array(givenAnswer), []),
})
export type Signature = z.output<typeof signature>

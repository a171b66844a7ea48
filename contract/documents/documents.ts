import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import {
  calendarDate,
  emptyAsUndefined,
  flag,
  idParams,
  oneOf,
  singleLineText,
  success,
  unrestrictedName,
  uuid,
} from '../lib/fields.ts'
import { RELATIONS } from '../guardians/guardians.ts'
import { studentName } from '../rights.ts'
import {
  DOCUMENT_KINDS,
  documentForm,
  documentRules,
  DUE_TIMES,
  publication,
  PURPOSES,
  SIGNERS,
} from './document-form.ts'
import { documentText } from './document-texts.ts'
import { neededDocument, signature, SIGNING_STATES } from './signatures.ts'

export const MAX_DOCUMENTS = 50

const documentSummary = z.object({
  id: z.uuid(),
  name: z.string(),
  kind: z.enum(DOCUMENT_KINDS),
  signer: z.enum(SIGNERS),
  purpose: z.enum(PURPOSES),
  /** The number of the published version. Null if none is published. */
  version: z.number().nullable(),
  published_at: z.string().nullable(),
  has_unpublished_changes: z.boolean(),
  is_archived: z.boolean(),
  /** How many current students have no signature that counts, and how many signatures end soon. */
  unsigned_count: z.number(),
  expiring_count: z.number(),
})
export type DocumentSummary = z.output<typeof documentSummary>

const documentPerson = z.object({
  student_id: z.uuid(),
  name: studentName(),
  state: z.enum(SIGNING_STATES),
  due_on: z.string().nullable(),
  expires_on: z.string().nullable(),
})
export type DocumentPerson = z.output<typeof documentPerson>

const documentDetails = documentSummary.extend({
  due: z.enum(DUE_TIMES),
  due_days: z.number().nullable(),
  valid_months: z.number().nullable(),
  valid_until_day: z.string().nullable(),
  min_age: z.number(),
  has_medical_answers_in_pdf: z.boolean(),
  /** The texts as they were last saved, which the next version will have. */
  texts: z.array(documentText),
  published_texts: z.array(documentText),
  /** Current students who are asked to sign, and those whose signature ends soon. */
  people: z.array(documentPerson),
})
export type DocumentDetails = z.output<typeof documentDetails>

const documentList = z.object({
  documents: z.array(documentSummary),
  rules: z.object({
    is_holding: z.boolean(),
    kept_years: z.number().nullable(),
    grown_up_days: z.number(),
  }),
})
export type DocumentList = z.output<typeof documentList>
const documentReply = z.object({ document: documentDetails })
const signatureReply = z.object({ signature })

/** Tells what the students of a roll still have to sign. */
const unsignedStudent = z.object({
  student_id: z.uuid(),
  documents: z.array(neededDocument.pick({ document_id: true, name: true, state: true })),
  /** True if the kiosk sends the student to the instructor, who has not let them pass today. */
  is_held: z.boolean(),
})
export type UnsignedStudent = z.output<typeof unsignedStudent>

const documentIds = z
  .array(uuid('Document'), 'Documents must be a list')
  .min(1, 'Choose a document')
  .max(MAX_DOCUMENTS, `At most ${MAX_DOCUMENTS} documents`)

export const LINK_CHANNELS = ['device', 'phone', 'mail'] as const
const linkForm = z.object({
  document_ids: documentIds,
  /** On this device, or by text or email to the signer. */
  by: oneOf('Way', LINK_CHANNELS),
  /** The guardian who signs. Without one, the student does. */
  guardian_id: emptyAsUndefined(uuid('Guardian')),
  /** Somebody who is no guardian of the student, on this device. */
  is_somebody_else: emptyAsUndefined(flag('Somebody else')),
  even_on_vacation: emptyAsUndefined(flag('Even on vacation')),
})
export type SigningLinkForm = z.output<typeof linkForm>

const MAX_SCAN_BYTES = 600_000
const MAX_SCAN_BASE64 = Math.ceil(MAX_SCAN_BYTES / 3) * 4
export const NOT_A_SCAN = 'Please choose a JPEG photo'
export const SCAN_TOO_LARGE = 'The photo must be at most 600 kB'
const BASE64 = /^(?:[A-Za-z\d+/]{4})+(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/

const paperSignatureForm = z.object({
  document_id: uuid('Document'),
  signer_name: unrestrictedName('Name'),
  guardian_id: emptyAsUndefined(uuid('Guardian')),
  relation: emptyAsUndefined(oneOf('Relation', RELATIONS)),
  signed_on: calendarDate('Signed on'),
  /** A photo of the paper: a JPEG file in base64. */
  photo: emptyAsUndefined(
    z
      .string(NOT_A_SCAN)
      .min(60, NOT_A_SCAN)
      .max(MAX_SCAN_BASE64, SCAN_TOO_LARGE)
      .regex(BASE64, NOT_A_SCAN),
  ),
})
export type PaperSignatureForm = z.output<typeof paperSignatureForm>

const reasonForm = z.object({ reason: singleLineText('Reason', 300) })

export const documentsApi = {
  list: {
    method: 'GET',
    path: '/documents',
    access: 'instructor',
    right: 'students.read',
    summary: 'The documents of the school, with how many students have not signed them',
    reply: documentList,
  },
  create: {
    method: 'POST',
    path: '/documents',
    access: 'instructor',
    right: 'settings',
    idempotent: true,
    summary: 'Write a document. Nobody is asked to sign it until it is published',
    body: documentForm,
    reply: documentReply,
  },
  show: {
    method: 'GET',
    path: '/documents/:id',
    access: 'instructor',
    right: 'students.read',
    summary: 'A document with its texts and the students who have to sign it',
    params: idParams,
    reply: documentReply,
  },
  change: {
    method: 'PUT',
    path: '/documents/:id',
    access: 'instructor',
    right: 'settings',
    summary: 'Change a document. Published texts stay as they are until the next version',
    params: idParams,
    body: documentForm,
    reply: documentReply,
  },
  publish: {
    method: 'POST',
    path: '/documents/:id/publish',
    access: 'instructor',
    right: 'settings',
    summary: 'Publish the texts as a new version, for everybody to sign or only for new people',
    params: idParams,
    body: publication,
    reply: documentReply,
  },
  askAgain: {
    method: 'POST',
    path: '/documents/:id/requests',
    access: 'instructor',
    right: 'students.edit',
    idempotent: true,
    summary:
      'Ask everybody who has not signed a document, in the app and by email. Students whom nobody ' +
      'can be asked for have no account of their own or of a guardian',
    params: idParams,
    reply: z.object({
      /** How many students somebody was asked for, and how many nobody could be asked for. */
      asked: z.number(),
      not_reached: z.number(),
    }),
  },
  archive: {
    method: 'PUT',
    path: '/documents/:id/archived',
    access: 'instructor',
    right: 'settings',
    summary: 'Stop asking for a document, or ask for it again. Signatures are kept',
    params: idParams,
    body: z.object({ is_archived: flag('Archived') }),
    reply: documentReply,
  },
  setRules: {
    method: 'PUT',
    path: '/document-rules',
    access: 'instructor',
    right: 'settings',
    summary: 'What happens at the kiosk without a signature, and how long signatures are kept',
    body: documentRules,
    reply: documentList,
  },
  unsigned: {
    method: 'GET',
    path: '/unsigned-documents',
    access: 'instructor',
    right: 'any',
    summary: 'What students still have to sign, for the marks on the roll',
    reply: z.object({ students: z.array(unsignedStudent) }),
  },
  ofStudent: {
    method: 'GET',
    path: '/students/:id/documents',
    access: 'instructor',
    right: 'students.read',
    summary: 'The documents that a student needs, and all signatures for the student',
    params: idParams,
    reply: z.object({
      needed: z.array(neededDocument),
      signatures: z.array(signature),
    }),
  },
  createLink: {
    method: 'POST',
    path: '/students/:id/signing-links',
    access: 'instructor',
    right: 'students.read',
    summary:
      'Create a link for signing, which works once within 7 days. Sending it by text or email ' +
      'needs the right to send texts or to change students',
    params: idParams,
    body: linkForm,
    /** The link is null if it was sent, because only the signer may have it. */
    reply: z.object({ link: z.string().nullable() }),
  },
  recordPaper: {
    method: 'POST',
    path: '/students/:id/paper-signatures',
    access: 'instructor',
    right: 'students.edit',
    idempotent: true,
    summary: 'Record a signature on paper, with a photo of it or without',
    maxBodyBytes: 820 * 1024,
    params: idParams,
    body: paperSignatureForm,
    reply: signatureReply,
  },
  confirm: {
    method: 'POST',
    path: '/signatures/:id/confirm',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Confirm a signature of somebody who is no guardian of the student',
    params: idParams,
    reply: signatureReply,
  },
  revoke: {
    method: 'POST',
    path: '/signatures/:id/revoke',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Revoke a signature, so that the document has to be signed again',
    params: idParams,
    body: reasonForm,
    reply: signatureReply,
  },
  file: {
    method: 'GET',
    path: '/signatures/:id/file',
    access: 'instructor',
    right: 'students.contact',
    summary: 'The signed PDF. One that contains medical answers needs the right to medical notes',
    params: idParams,
    file: 'application/pdf',
    reply: z.string(),
  },
  letPass: {
    method: 'POST',
    path: '/students/:id/document-passes',
    access: 'instructor',
    right: 'roll',
    summary: 'Let a student train today without a signature, with a reason',
    params: idParams,
    body: reasonForm,
    reply: success,
  },
} as const satisfies Api

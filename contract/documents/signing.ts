import { z } from 'zod'
import { RELATIONS } from '../guardians/guardians.ts'
import type { Api } from '../lib/endpoint.ts'
import {
  calendarDate,
  email,
  emptyAsUndefined,
  idParams,
  oneOf,
  phone,
  singleLineText,
  success,
  unrestrictedName,
  uuid,
} from '../lib/fields.ts'
import { dojoBranding } from '../pictures/pictures.ts'
import { DOCUMENT_KINDS } from './document-form.ts'
import { answers, documentText } from './document-texts.ts'
import { neededDocument, SIGNER_KINDS, SIGNING_CHANNELS } from './signatures.ts'

/** The page for signing. The token comes after a "#", so that no server logs it. */
export const SIGNING_PATH = '/sign'
export const SIGNING_LINK_DAYS = 7
export const MAX_DRAWING_LENGTH = 20_000

/** The part of the link after the "#". */
const tokenFromLink = { token: singleLineText('Link', 100) }

const paper = z.object({
  document_id: z.uuid(),
  name: z.string(),
  kind: z.enum(DOCUMENT_KINDS),
  /** The published version in each of its languages. The signer chooses one. */
  versions: z.array(documentText.extend({ version_id: z.uuid() })),
})
export type Paper = z.output<typeof paper>

const openedLink = z.object({
  dojo_name: z.string(),
  ...dojoBranding,
  time_zone: z.string(),
  /** Only the first name, because the link may have reached the wrong person. */
  first_name: z.string(),
  channel: z.enum(SIGNING_CHANNELS),
  /** Null if the link does not say who signs. */
  signer_kind: z.enum(SIGNER_KINDS).nullable(),
  /** True if the school knows an email for the signer’s copy. */
  has_email: z.boolean(),
  /** True if the signer has to say when they were born, because nobody else knows. */
  asks_birth_date: z.boolean(),
  disclosure_version: z.string(),
  disclosure: z.array(z.string()),
  /** The documents that are not signed yet. */
  papers: z.array(paper),
})
export type OpenedLink = z.output<typeof openedLink>

const DRAWING_INVALID = 'The drawing is not valid'
const DRAWING_TOO_LARGE = 'The drawing is too large. Your typed name is enough.'
/** Lines from point to point, in a box of 300 by 100. */
const DRAWING = /^(?:M\d{1,3} \d{1,3}(?:L\d{1,3} \d{1,3})*)*$/

const signForm = z.object({
  ...tokenFromLink,
  document_id: uuid('Document'),
  version_id: uuid('Version'),
  disclosure_version: singleLineText('Disclosure', 20),
  agrees_to_disclosure: z.literal(true, 'Please agree to sign on a screen, or sign on paper'),
  name: unrestrictedName('Full name'),
  /** Only if the link does not say who signs. */
  signs_for: emptyAsUndefined(oneOf('Who signs', ['self', 'child'])),
  relation: emptyAsUndefined(oneOf('Relation', RELATIONS)),
  phone: emptyAsUndefined(phone('Phone number')),
  email: emptyAsUndefined(email()),
  date_of_birth: emptyAsUndefined(calendarDate('Date of birth')),
  answers,
  drawing: emptyAsUndefined(
    z
      .string(DRAWING_INVALID)
      .max(MAX_DRAWING_LENGTH, DRAWING_TOO_LARGE)
      .regex(DRAWING, DRAWING_INVALID),
  ),
})
export type SignForm = z.output<typeof signForm>

const signResult = z.object({
  signed_at: z.string(),
  time_zone: z.string(),
  /** True if the copy is on its way by email. */
  is_mailed: z.boolean(),
  /** Opens the signed PDF, for good. Null if somebody else pressed the button first. */
  copy: z.string().nullable(),
  papers_left: z.number(),
})
export type SignResult = z.output<typeof signResult>

const ownPapers = z.object({
  student_id: z.uuid(),
  name: z.string(),
  to_sign: z.array(neededDocument),
})
const ownSignature = z.object({
  id: z.uuid(),
  document_name: z.string(),
  person_name: z.string(),
  signed_at: z.string(),
  time_zone: z.string(),
  expires_on: z.string().nullable(),
  revoked_at: z.string().nullable(),
  has_file: z.boolean(),
})
export type OwnSignature = z.output<typeof ownSignature>
const ownDocuments = z.object({
  people: z.array(ownPapers),
  signatures: z.array(ownSignature),
})
export type OwnDocuments = z.output<typeof ownDocuments>

const createdLink = z.object({ link: z.string() })

export const signingApi = {
  open: {
    method: 'POST',
    path: '/signing/open',
    access: 'public',
    readOnly: true,
    summary: 'What a link for signing is about. The link stays unused',
    body: z.object(tokenFromLink),
    reply: openedLink,
  },
  sign: {
    method: 'POST',
    path: '/signing/sign',
    access: 'public',
    summary: 'Sign a document. A second press gets the first answer',
    body: signForm,
    reply: signResult,
  },
  refuse: {
    method: 'POST',
    path: '/signing/not-my-child',
    access: 'public',
    summary: 'Say that a link reached the wrong person. It stops working',
    body: z.object(tokenFromLink),
    reply: success,
  },
  copy: {
    method: 'POST',
    path: '/signing/copy',
    access: 'public',
    readOnly: true,
    summary: 'The signed PDF, for the signer, with the secret that they got after signing',
    body: z.object({ copy: singleLineText('Copy', 150) }),
    file: 'application/pdf',
    reply: z.string(),
  },
} as const satisfies Api

export const ownDocumentsApi = {
  list: {
    method: 'GET',
    path: '/my-documents',
    access: 'member',
    right: 'own',
    summary: 'What the caller has to sign, for themselves or for children, and what they signed',
    reply: ownDocuments,
  },
  createLink: {
    method: 'POST',
    path: '/my-documents/link',
    access: 'member',
    right: 'own',
    summary: 'A link with which the caller signs everything for one person',
    body: z.object({ student_id: uuid('Student') }),
    reply: createdLink,
  },
  file: {
    method: 'GET',
    path: '/my-documents/:id/file',
    access: 'member',
    right: 'own',
    summary: 'A PDF that the caller signed',
    params: idParams,
    file: 'application/pdf',
    reply: z.string(),
  },
} as const satisfies Api

import {
  DOCUMENT_KINDS,
  DUE_TIMES,
  PURPOSES,
  RESIGN_CHOICES,
  SIGNERS,
} from '@tatami/contract/documents/document-form'
import type { DocumentText, GivenAnswer, Question } from '@tatami/contract/documents/document-texts'
import { SIGNER_KINDS, SIGNING_CHANNELS } from '@tatami/contract/documents/signatures'
import { RELATIONS } from '@tatami/contract/guardians/guardians'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  index,
  jsonb,
  pgTable,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes, createdAt, dojoId, id, instant, reference, tenantKey } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'
import { students } from '../students/tables.ts'

export const documents = pgTable(
  'documents',
  {
    dojo_id: dojoId(),
    id: id(),
    name: text().notNull(),
    kind: text({ enum: DOCUMENT_KINDS }).notNull(),
    signer: text({ enum: SIGNERS }).notNull(),
    purpose: text({ enum: PURPOSES }).notNull(),
    due: text({ enum: DUE_TIMES }).notNull(),
    due_days: smallint(),
    valid_months: smallint(),
    /** A day of every year, such as 08-31. */
    valid_until_day: text(),
    min_age: smallint().notNull(),
    has_medical_answers_in_pdf: boolean().notNull(),
    /** The texts of the next version. */
    texts: jsonb().$type<DocumentText[]>().notNull(),
    archived_at: instant(),
    created_at: createdAt(),
  },
  (t) => [...tenantKey(t.dojo_id, t.id)],
)

/** One row per version and language. */
export const documentVersions = pgTable(
  'document_versions',
  {
    dojo_id: dojoId(),
    id: id(),
    document_id: uuid().notNull(),
    n: smallint().notNull(),
    language: text().notNull(),
    name: text().notNull(),
    body: text().notNull(),
    questions: jsonb().$type<Question[]>().notNull(),
    /** SHA-256 of the name, the body and the questions. */
    hash: text().notNull(),
    resign: text({ enum: RESIGN_CHOICES }).notNull(),
    published_at: instant().notNull(),
    published_by: uuid().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('document_versions_n').on(t.dojo_id, t.document_id, t.n, t.language),
    reference('document_versions_document', [t.dojo_id, t.document_id], documents),
  ],
)

/** People who sign, or for whom somebody signs, before they are students. */
export const documentVisitors = pgTable(
  'document_visitors',
  {
    dojo_id: dojoId(),
    id: id(),
    name: text().notNull(),
    date_of_birth: date(),
    email: text(),
    /** Set once the visitor has become a student. */
    student_id: uuid(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('document_visitors_of_student').on(t.dojo_id, t.student_id),
    index('document_visitors_oldest').on(t.created_at, t.dojo_id),
    // The migration narrows this to `set null (student_id)`, which Drizzle cannot express.
    reference('document_visitors_student', [t.dojo_id, t.student_id], students).onDelete(
      'set null',
    ),
  ],
)

/** Rows are never changed. Both `student_id` and `visitor_id` are null after that person is
 *  deleted. */
export const signatures = pgTable(
  'signatures',
  {
    dojo_id: dojoId(),
    id: id(),
    document_id: uuid().notNull(),
    version_id: uuid().notNull(),
    version: smallint().notNull(),
    student_id: uuid(),
    visitor_id: uuid(),
    person_name: text().notNull(),
    person_born_on: date(),
    signer_kind: text({ enum: SIGNER_KINDS }).notNull(),
    signer_id: uuid(),
    signer_name: text().notNull(),
    relation: text({ enum: RELATIONS }),
    drawing: text(),
    answers: jsonb().$type<GivenAnswer[]>().notNull(),
    medical_answers: jsonb().$type<GivenAnswer[]>().notNull(),
    /** Null on paper. */
    disclosure_version: text(),
    signed_at: instant().notNull(),
    time_zone: text().notNull(),
    channel: text({ enum: SIGNING_CHANNELS }).notNull(),
    /** The member of staff who recorded a signature on paper. */
    recorded_by: uuid(),
    /** True if the signer is no guardian of the student, so that an instructor has to confirm. */
    needs_confirmation: boolean().notNull(),
    /** The last day. */
    expires_on: date(),
    /** The expired or revoked signature that this one follows. */
    renewed_id: uuid(),
    /** SHA-256 of the PDF. Null on paper without a photo. */
    pdf_hash: text(),
    /** Hash of the secret with which the signer opens the PDF. */
    copy_hash: text(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    reference('signatures_document', [t.dojo_id, t.document_id], documents),
    reference('signatures_version', [t.dojo_id, t.version_id], documentVersions),
    // The migration narrows these to `set null` of the second column.
    reference('signatures_student', [t.dojo_id, t.student_id], students).onDelete('set null'),
    reference('signatures_visitor', [t.dojo_id, t.visitor_id], documentVisitors).onDelete(
      'set null',
    ),
    // Of two presses, or two open pages, one signs.
    uniqueIndex('signatures_once').on(
      t.dojo_id,
      t.document_id,
      t.version,
      sql`coalesce(${t.student_id}, ${t.visitor_id})`,
      sql`coalesce(${t.signer_id}::text, lower(${t.signer_name}))`,
      sql`coalesce(${t.renewed_id}, '00000000-0000-0000-0000-000000000000')`,
    ),
    index('signatures_of_student').on(t.dojo_id, t.student_id),
    index('signatures_of_visitor').on(t.dojo_id, t.visitor_id),
    index('signatures_of_version').on(t.dojo_id, t.version_id),
    index('signatures_of_signer').on(t.dojo_id, t.signer_id),
    index('signatures_by_end').on(t.expires_on, t.dojo_id),
    uniqueIndex('signatures_by_copy').on(t.dojo_id, t.copy_hash),
    check('signatures_person', sql`num_nonnulls(${t.student_id}, ${t.visitor_id}) <= 1`),
  ],
)

/** The PDF that was rendered when somebody signed. Its bytes never change. */
export const signatureFiles = pgTable(
  'signature_files',
  { dojo_id: dojoId(), signature_id: uuid().notNull(), bytes: bytes().notNull() },
  (t) => [
    ...tenantKey(t.dojo_id, t.signature_id),
    reference('signature_files_signature', [t.dojo_id, t.signature_id], signatures).onDelete(
      'cascade',
    ),
  ],
)

/** What may change about a signature, and contact data, which does not outlive the student. */
export const signatureDetails = pgTable(
  'signature_details',
  {
    dojo_id: dojoId(),
    signature_id: uuid().notNull(),
    email: text(),
    phone: text(),
    /** The IP address and the browser. */
    address: text(),
    device: text(),
    /** How many days ahead the last notice of the end was sent: 30 or 7. */
    noticed_days_ahead: smallint(),
    /** When a signature of a deleted student is deleted. */
    delete_on: date(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.signature_id),
    reference('signature_details_signature', [t.dojo_id, t.signature_id], signatures).onDelete(
      'cascade',
    ),
    index('signature_details_by_end').on(t.delete_on, t.dojo_id),
  ],
)

/** Confirmations and revocations. */
export const signatureEvents = pgTable(
  'signature_events',
  {
    dojo_id: dojoId(),
    signature_id: uuid().notNull(),
    kind: text({ enum: ['confirmed', 'revoked'] }).notNull(),
    reason: text(),
    /** The instructor’s id. */
    created_by: uuid().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.signature_id, t.kind),
    reference('signature_events_signature', [t.dojo_id, t.signature_id], signatures).onDelete(
      'cascade',
    ),
  ],
)

/** A link works until each of its documents is signed, for 7 days. Only a hash of it is stored. */
export const signingLinks = pgTable(
  'signing_links',
  {
    dojo_id: dojoId(),
    id: id(),
    token_hash: text().notNull(),
    student_id: uuid(),
    visitor_id: uuid(),
    document_ids: uuid().array().notNull(),
    channel: text({ enum: SIGNING_CHANNELS }).notNull(),
    /** Who signs. Null if the link is for whoever holds the phone. */
    signer_kind: text({ enum: SIGNER_KINDS }),
    signer_id: uuid(),
    sent_to: text(),
    /** The instructor’s id. Null if a kiosk or the signer created the link. */
    created_by: uuid(),
    created_at: createdAt(),
    expires_at: instant().notNull(),
    used_at: instant(),
    revoked_at: instant(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('signing_links_token').on(t.dojo_id, t.token_hash),
    index('signing_links_of_student').on(t.dojo_id, t.student_id),
    index('signing_links_of_visitor').on(t.dojo_id, t.visitor_id),
    index('signing_links_oldest').on(t.expires_at, t.dojo_id),
    reference('signing_links_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
    reference('signing_links_visitor', [t.dojo_id, t.visitor_id], documentVisitors).onDelete(
      'cascade',
    ),
    check('signing_links_person', sql`num_nonnulls(${t.student_id}, ${t.visitor_id}) = 1`),
  ],
)

/** An instructor let a student train on a day without a signature. */
export const documentPasses = pgTable(
  'document_passes',
  {
    dojo_id: dojoId(),
    student_id: uuid().notNull(),
    day: date().notNull(),
    reason: text().notNull(),
    /** The instructor’s id. */
    created_by: uuid().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.student_id, t.day),
    reference('document_passes_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
  ],
)

/** One row per dojo that has changed a rule. */
export const documentRules = pgTable(
  'document_rules',
  {
    dojo_id: dojoId(),
    is_holding: boolean().notNull(),
    kept_years: smallint(),
    grown_up_days: smallint().notNull(),
  },
  (t) => [...tenantKey(t.dojo_id)],
)

export const documentTables: TableRules[] = [
  {
    table: documents,
    exported: { name: 'documents', about: 'Waivers, agreements and other documents' },
    changes: 'no deletes',
  },
  {
    table: documentVersions,
    exported: { name: 'document_versions', about: 'The published texts of documents' },
    changes: 'append only',
  },
  {
    table: documentVisitors,
    exported: { name: 'document_visitors', about: 'Who signed documents before enrolling' },
    hiddenFromOverseer: [documentVisitors.email],
  },
  {
    table: signatures,
    exported: {
      name: 'signatures',
      about: 'Who signed which document, with the hash of the PDF in signed-documents/',
      hidden: ['copy_hash'],
    },
    changes: 'no updates',
    hiddenFromOverseer: [
      signatures.answers,
      signatures.medical_answers,
      signatures.drawing,
      signatures.copy_hash,
    ],
  },
  {
    table: signatureFiles,
    notExported: 'the PDFs, which are in signed-documents/',
    changes: 'no updates',
    hiddenFromOverseer: [signatureFiles.bytes],
  },
  {
    table: signatureDetails,
    exported: {
      name: 'signature_details',
      about: 'Email, phone, IP address and browser of signers',
      hidden: ['noticed_days_ahead'],
    },
    hiddenFromOverseer: [signatureDetails.email, signatureDetails.phone, signatureDetails.address],
  },
  {
    table: signatureEvents,
    exported: { name: 'signature_events', about: 'Confirmed and revoked signatures' },
    changes: 'no updates',
  },
  {
    table: signingLinks,
    exported: {
      name: 'signing_links',
      about: 'Links for signing: to whom and when',
      hidden: ['token_hash'],
    },
    kept: {
      since: signingLinks.expires_at,
      days: 30,
      description: 'Links for signing documents, after they expire',
    },
    hiddenFromOverseer: [signingLinks.token_hash, signingLinks.sent_to],
  },
  {
    table: documentPasses,
    exported: {
      name: 'document_passes',
      about: 'Who trained on which day without a signature, and why',
    },
  },
  {
    table: documentRules,
    exported: { name: 'document_rules', about: 'Rules for documents' },
  },
]

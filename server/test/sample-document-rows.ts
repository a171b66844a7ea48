import { newId } from '../db/columns.ts'
import type { SampleRows } from './sample-ids.ts'

const created_at = '2026-01-01T00:00:00Z'
const BODY = 'Training has risks.'

/** A published waiver that nobody has to sign yet, because the sample student is not on trial, and
 *  a signature of it. */
export const DOCUMENT_ROWS: SampleRows = {
  documents: ({ document_id }) => ({
    id: document_id,
    name: 'Waiver',
    kind: 'waiver',
    signer: 'guardian',
    purpose: 'trial',
    due: 'before',
    min_age: '18',
    has_medical_answers_in_pdf: 'false',
    texts: JSON.stringify([{ language: 'en', body: `${BODY} Second text.`, questions: [] }]),
    created_at,
  }),
  document_versions: ({ document_id, document_version_id, instructor_id }) => ({
    id: document_version_id,
    document_id,
    n: '1',
    language: 'en',
    name: 'Waiver',
    body: BODY,
    questions: '[]',
    hash: 'hash',
    resign: 'all',
    published_at: created_at,
    published_by: instructor_id,
  }),
  document_visitors: ({ document_visitor_id }) => ({
    id: document_visitor_id,
    name: 'Mia Reyes',
    email: `${document_visitor_id}@home.org`,
    created_at,
  }),
  signatures: ({ signature_id, document_id, document_version_id, student_id, guardian_id }) => ({
    id: signature_id,
    document_id,
    version_id: document_version_id,
    version: '1',
    student_id,
    person_name: 'Ken Adams',
    signer_kind: 'guardian',
    signer_id: guardian_id,
    signer_name: 'Ann Adams',
    relation: 'mother',
    answers: '[]',
    medical_answers: '[{"key": "asthma", "label": "Asthma?", "value": "yes"}]',
    disclosure_version: '2026-11',
    signed_at: created_at,
    time_zone: 'America/Chicago',
    channel: 'phone',
    needs_confirmation: 'true',
    pdf_hash: 'hash',
    copy_hash: newId(),
  }),
  signature_files: ({ signature_id }) => ({ signature_id, bytes: '%PDF-1.7' }),
  signature_details: ({ signature_id, guardian_email }) => ({
    signature_id,
    email: guardian_email,
    phone: '+15125550142',
    address: '192.0.2.1',
    device: 'Phone',
  }),
  signature_events: ({ signature_id, instructor_id }) => ({
    signature_id,
    kind: 'confirmed',
    created_by: instructor_id,
    created_at,
  }),
  signing_links: ({ signing_link_id, student_id, document_id }) => ({
    id: signing_link_id,
    token_hash: newId(),
    student_id,
    document_ids: `{${document_id}}`,
    channel: 'mail',
    sent_to: 'ann@home.org',
    created_at,
    expires_at: '2199-01-01T00:00:00Z',
  }),
  document_passes: ({ student_id, instructor_id }) => ({
    student_id,
    day: '2026-01-02',
    reason: 'The mother called',
    created_by: instructor_id,
    created_at,
  }),
  document_rules: () => ({ is_holding: 'false', grown_up_days: '30' }),
}

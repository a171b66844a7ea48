import type { AuditedCall } from './audited-payments.ts'
import type { Ids } from './sample-ids.ts'

const TEXT = { language: 'en', body: 'Training has risks.', questions: [] }
const DOCUMENT = {
  name: 'Rules',
  kind: 'policy',
  signer: 'student',
  purpose: 'everybody',
  due: 'before',
  has_medical_answers_in_pdf: false,
  texts: [TEXT],
}

export function auditedDocuments(
  runSql: (ids: Ids, statement: string) => Promise<unknown>,
): Record<string, AuditedCall> {
  return {
    'POST /documents': { action: 'document added', prepare: () => ({ body: DOCUMENT }) },
    'PUT /documents/:id': { action: 'document changed', prepare: () => ({ body: DOCUMENT }) },
    'POST /documents/:id/publish': { action: 'document published' },
    'POST /documents/:id/requests': { action: 'signatures asked for' },
    'POST /signatures/:id/medical-note': { action: 'student notes changed' },
    'PUT /documents/:id/archived': { action: 'document archived' },
    'PUT /document-rules': { action: 'document rules set' },
    'POST /students/:id/signing-links': {
      action: 'signing link opened',
      prepare: ({ document_id }) => ({ body: { document_ids: [document_id], by: 'device' } }),
    },
    'POST /students/:id/paper-signatures': {
      action: 'paper signature recorded',
      prepare: ({ document_id }) => ({
        body: { document_id, signer_name: 'Ann Adams', relation: 'other', signed_on: '2026-01-02' },
      }),
    },
    'POST /signatures/:id/confirm': {
      action: 'signature confirmed',
      prepare: async (ids) => {
        await runSql(ids, 'delete from signature_events')
        return {}
      },
    },
    'POST /signatures/:id/revoke': { action: 'signature revoked' },
    'POST /students/:id/document-passes': { action: 'let pass without signature' },
  }
}

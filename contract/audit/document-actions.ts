import { forAdmins, forDojo } from './action-entry.ts'
import { student } from './action-phrases.ts'

export const DOCUMENT_ACTIONS = {
  'document added': forDojo('documents', 'wrote a document'),
  'document changed': forDojo('documents', 'changed a document'),
  'document published': forDojo(
    'documents',
    ({ details }) => `published version ${details.version} of a document`,
  ),
  'signatures asked for': forDojo(
    'documents',
    ({ details }) => `asked for signatures of ${details.students} students again`,
  ),
  'document archived': forDojo('documents', ({ details }) =>
    details.archived === true ? 'stopped asking for a document' : 'asks for a document again',
  ),
  'document rules set': forAdmins('documents', 'changed the rules for documents'),
  'signing link sent': forDojo('documents', (row) => `sent a link to sign for ${student(row)}`),
  'signing link opened': forDojo(
    'documents',
    (row) => `handed over a device to sign for ${student(row)}`,
  ),
  'signing link refused': forDojo('documents', 'said that a link to sign reached the wrong person'),
  'document signed': forDojo('documents', (row) =>
    row.subject ? `signed a document for ${student(row)}` : 'signed a document',
  ),
  'paper signature recorded': forDojo(
    'documents',
    (row) => `recorded a signature on paper for ${student(row)}`,
  ),
  'signature confirmed': forDojo('documents', (row) => `confirmed a signature for ${student(row)}`),
  'signature revoked': forDojo('documents', (row) => `revoked a signature for ${student(row)}`),
  'let pass without signature': forDojo(
    'documents',
    (row) => `let ${student(row)} train without a signature`,
  ),
}

import type { AuditAction } from '@tatami/contract/audit/actions'
import { OWED_MONTHS_SQL } from './owed-months.ts'
import type { Ids } from './sample-ids.ts'
import type { ApiClient } from './test-server.ts'
import type { RequestParts } from './valid-requests.ts'

type PreparedParts = Partial<RequestParts>
/** A call and the entry that it writes into the audit log. `prepare` adds rows that a request
 *  needs, and returns parts of the request that cannot be generated. */
export type AuditedCall = {
  action: AuditAction
  /** By default, an instructor makes the call, if instructors may. */
  callerRole?: 'student' | 'guardian'
  prepare?: (ids: Ids) => Promise<PreparedParts> | PreparedParts
}

export const auditedPayments = (
  runSql: (ids: Ids, statement: string) => Promise<unknown>,
  signInInstructor: (ids: Ids) => Promise<ApiClient>,
): Record<string, AuditedCall> => ({
  'POST /payment-records': { action: 'payment marked' },
  'POST /reset-monthly-payments': { action: 'month reset' },
  'POST /payment-promises': { action: 'payment promise noted' },
  'DELETE /payment-promises/:id': { action: 'payment promise ended' },
  'PUT /late-fee-rule': { action: 'late fee rule set' },
  'PUT /sales-taxes': { action: 'sales tax set' },
  'POST /late-fees': {
    action: 'late fees charged',
    prepare: async (ids) => {
      for (const statement of OWED_MONTHS_SQL) await runSql(ids, statement)
      return { body: { month: 1, year: 2026, student_ids: [ids.student_id] } }
    },
  },
  'POST /payment-records/marks': { action: 'payments marked' },
  'POST /payments': { action: 'payment taken' },
  'POST /payments/together': { action: 'payment taken' },
  'POST /charges': {
    action: 'students charged',
    prepare: ({ student_id }) => ({
      body: { student_ids: [student_id], kind: 'equipment', amount: 20 },
    }),
  },
  'POST /charges/:id/write-off': {
    action: 'charge written off',
    prepare: async (ids) => {
      const sensei = await signInInstructor(ids)
      await sensei.post('/charges', { student_ids: [ids.sibling_id], kind: 'grading', amount: 40 })
      const { body } = await sensei.get(`/students/${ids.sibling_id}/account`)
      return { params: { id: body.charges[0].id } }
    },
  },
  'POST /refunds': {
    action: 'money given back',
    prepare: ({ student_id }) => ({ body: { student_id, amount: 5 } }),
  },
  'POST /ledger-acts/:id/undo': { action: 'payments taken back' },
  'POST /receipts': { action: 'receipt issued', prepare: ({ act_id }) => ({ body: { act_id } }) },
  'POST /receipts/:id/send': { action: 'receipt sent', prepare: () => ({ body: { by: 'text' } }) },
  'PUT /cash-counts/:date': { action: 'cash counted' },
})

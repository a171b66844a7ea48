import type { AuditedCall } from './audited-payments.ts'
import { TEST_FOR_NEXT_RANK } from './next-rank.ts'
import type { Ids } from './sample-ids.ts'

const GRADING = { name: 'Winter grading', held_on: '2027-12-01', fee: 40 }

export const auditedGradings = (
  runSql: (ids: Ids, statement: string) => Promise<unknown>,
): Record<string, AuditedCall> => ({
  'POST /gradings': { action: 'grading planned', prepare: () => ({ body: GRADING }) },
  'PUT /gradings/:id': { action: 'grading changed', prepare: () => ({ body: GRADING }) },
  'DELETE /gradings/:id': { action: 'grading removed' },
  'PUT /gradings/:id/candidates': {
    action: 'grading candidates changed',
    prepare: ({ student_id }) => ({ body: { waive_fee: [student_id] } }),
  },
  'POST /gradings/:id/invitations': {
    action: 'students invited to a grading',
    prepare: async (ids) => {
      await runSql(ids, TEST_FOR_NEXT_RANK)
      return { body: { student_ids: [ids.student_id], text: null } }
    },
  },
  'POST /gradings/:id/finish': {
    action: 'grading finished',
    prepare: async (ids) => {
      await runSql(ids, `update gradings set held_on = '2026-01-05'`)
      return {}
    },
  },
  'POST /promotions/:id/certificate': { action: 'certificates printed' },
  'POST /promotions/acts/:id/certificates': { action: 'certificates printed' },
  'POST /gradings/:id/certificates': {
    action: 'certificates printed',
    prepare: async (ids) => {
      await runSql(ids, `update gradings set state = 'finished', finished_at = now()`)
      await runSql(
        ids,
        `update candidates set result = 'pass', belt_change_id = '${ids.belt_change_id}'`,
      )
      return {}
    },
  },
})

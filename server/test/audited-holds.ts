import type { AuditedCall } from './audited-payments.ts'
import type { Ids } from './sample-ids.ts'

export const auditedHolds = (
  runSql: (ids: Ids, statement: string) => Promise<unknown>,
): Record<string, AuditedCall> => ({
  'POST /students/:id/holds': {
    action: 'hold added',
    prepare: () => ({ body: { starts_on: '2199-01-01', ends_on: null, kind: 'injury' } }),
  },
  'POST /holds/:id/end': {
    action: 'hold ended',
    prepare: async (ids) => {
      await runSql(ids, 'update holds set ends_on = null')
      return { body: { ends_on: null } }
    },
  },
  'POST /holds/:id/reopen': {
    action: 'hold reopened',
    prepare: async (ids) => {
      await runSql(ids, "update holds set returned_on = '2026-02-15', planned_end = '2026-03-01'")
      return {}
    },
  },
  'DELETE /holds/:id': {
    action: 'hold deleted',
    prepare: async (ids) => {
      await runSql(ids, "update holds set starts_on = '2199-01-01', ends_on = null")
      return {}
    },
  },
  'POST /students/:id/packs': {
    action: 'pack sold',
    prepare: async (ids) => {
      await runSql(ids, "update plans set kind = 'pack', is_add_on = false")
      return { body: { plan_id: ids.plan_id } }
    },
  },
})

import type { AuditedCall } from './audited-payments.ts'
import type { Ids } from './sample-ids.ts'

/** Adds a second version of the plan. The sample student has the first one. */
const newVersionSql = ({ dojo_id, plan_id }: Ids) => `
  insert into plan_versions
  select (jsonb_populate_record(v, jsonb_build_object('id', gen_random_uuid(), 'n', 2))).*
  from plan_versions v where dojo_id = '${dojo_id}' and plan_id = '${plan_id}'`

export const auditedPlans = (
  runSql: (ids: Ids, statement: string) => Promise<unknown>,
): Record<string, AuditedCall> => {
  const endSampleSubscription = async (ids: Ids) => {
    await runSql(ids, "update subscriptions set ends_on = '2199-01-01', cancelled_at = now()")
    return {}
  }
  return {
    'POST /plans': { action: 'plan added' },
    'PUT /plans/:id': {
      action: 'plan changed',
      prepare: async (ids) => {
        await runSql(ids, 'delete from student_packs')
        await runSql(ids, 'delete from subscriptions')
        return {}
      },
    },
    'POST /plans/:id/retire': { action: 'plan retired' },
    'POST /plans/:id/restore': {
      action: 'plan restored',
      prepare: async (ids) => {
        await runSql(ids, "update plans set retired_at = '2026-01-01'")
        return {}
      },
    },
    'POST /plans/:id/price-announcements': {
      action: 'plan price announced',
      prepare: async (ids) => {
        await runSql(ids, newVersionSql(ids))
        return { body: { effective_on: '2199-01-01' } }
      },
    },
    'PUT /plan-rules': { action: 'plan rules set' },
    'POST /students/:id/subscriptions': {
      action: 'subscription started',
      prepare: async (ids) => {
        await runSql(ids, 'delete from subscriptions')
        return {}
      },
    },
    'POST /subscriptions/:id/change': {
      action: 'subscription changed',
      prepare: async (ids) => {
        await runSql(ids, newVersionSql(ids))
        return { body: { plan_id: ids.plan_id, from: 'now' } }
      },
    },
    'POST /subscriptions/:id/end': { action: 'subscription ended', prepare: () => ({ body: {} }) },
    'POST /subscriptions/:id/undo': {
      action: 'subscription undone',
      prepare: async (ids) => {
        await runSql(ids, 'update subscriptions set created_at = now(), cancelled_at = null')
        return {}
      },
    },
    'POST /subscriptions/:id/keep': { action: 'subscription kept', prepare: endSampleSubscription },
    'POST /my/subscriptions/:id/end': { action: 'subscription ended', callerRole: 'guardian' },
    'POST /my/subscriptions/:id/keep': {
      action: 'subscription kept',
      callerRole: 'guardian',
      prepare: endSampleSubscription,
    },
  }
}

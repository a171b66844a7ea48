import { FAIR_WORDING_VERSION } from '@tatami/contract/leads/fair'
import { DEFAULT_STEPS } from '@tatami/contract/followups/steps'
import { newId } from '../db/columns.ts'
import type { AuditedCall } from './audited-payments.ts'
import type { Ids } from './sample-ids.ts'

type RunSql = (ids: Ids, statement: string) => Promise<unknown>

const insertLead = (id: string, mergedInto: string | null) => `
  insert into leads
    (id, name, is_for, email, language, source, created_at, last_active_at, merged_into, merged_at)
  values ('${id}', 'Ana R.', 'self', 'ana.r@home.org', 'en', 'Walk-in', now(), now(),
    ${mergedInto === null ? 'null, null' : `'${mergedInto}', now()`})`

export const auditedLeads = (runSql: RunSql): Record<string, AuditedCall> => ({
  'POST /leads': {
    action: 'lead added',
    prepare: () => ({
      body: {
        name: 'Tom Lee',
        phone: '',
        email: 'tom@home.org',
        visitors: [{ name: 'Tom Lee', age: null }],
        source: 'Walk-in',
      },
    }),
  },
  'POST /fair-leads': {
    action: 'lead added',
    prepare: () => ({
      body: {
        name: 'Eva Lee',
        phone: '',
        email: 'eva@home.org',
        visitors: [{ name: 'Eva Lee', age: null }],
        source: 'Spring fair',
        purposes: [],
        wording_version: FAIR_WORDING_VERSION,
        taken_at: '2026-01-01T00:00:00Z',
      },
    }),
  },
  'PUT /leads/:id': {
    action: 'lead changed',
    prepare: () => ({
      body: {
        name: 'Ana Ruiz',
        phone: '(512) 555-0142',
        visitors: [{ name: 'Leo', age: 8 }],
        source: 'Walk-in',
      },
    }),
  },
  'POST /leads/:id/merge': {
    action: 'leads merged',
    prepare: async (ids) => {
      const intoId = newId()
      await runSql(ids, insertLead(intoId, null))
      return { body: { into_id: intoId } }
    },
  },
  'POST /leads/:id/unmerge': {
    action: 'merge of leads undone',
    prepare: async (ids) => {
      const mergedId = newId()
      await runSql(ids, insertLead(mergedId, ids.lead_id))
      return { params: { id: mergedId } }
    },
  },
  'POST /leads/:id/join': {
    action: 'lead joined',
    prepare: ({ student_id }) => ({ body: { visitor_name: 'Leo', student_id } }),
  },
  'PUT /followups/plan': {
    action: 'first 90 days changed',
    prepare: () => ({ body: { is_on: true, steps: DEFAULT_STEPS } }),
  },
  'POST /followups/students/:id/start': {
    action: 'first 90 days started',
    prepare: async (ids) => {
      await runSql(ids, 'delete from followups')
      return {}
    },
  },
  'POST /followups/students/:id/stop': { action: 'first 90 days stopped' },
  'POST /lead-sources': {
    action: 'lead source changed',
    prepare: () => ({ body: { name: 'Ad', monthly_cost: 40 } }),
  },
  'PUT /lead-sources/:id': {
    action: 'lead source changed',
    prepare: () => ({ body: { name: 'Poster', monthly_cost: null } }),
  },
  'PUT /lead-settings': {
    action: 'lead settings changed',
    prepare: () => ({ body: { kept_months: 24 } }),
  },
  'POST /leads/:id/spoken-consent': {
    action: 'lead consent recorded',
    prepare: async (ids) => {
      await runSql(ids, 'delete from lead_spoken_consents')
      return { body: { said_on: '2026-01-02', words: 'Yes, please text me' } }
    },
  },
  'DELETE /leads/:id': { action: 'lead deleted' },
})

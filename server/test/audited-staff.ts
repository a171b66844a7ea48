import type { Database } from '../db/database.ts'
import type { AuditedCall } from './audited-payments.ts'
import { createStaff, PASSWORD, type StaffFields } from './fixtures.ts'
import type { Ids } from './sample-ids.ts'
import type { ApiClient } from './test-server.ts'

const HOURS = { day: '2026-02-02', from: '09:00', until: '10:00', task: 'Desk' }
const GRANT = { rights: ['roll'], preset: null, class_ids: null }

export function auditedStaff(
  db: Database,
  signInInstructor: (ids: Ids) => Promise<ApiClient>,
): Record<string, AuditedCall> {
  const createMember = async ({ dojo_id }: Ids, fields?: StaffFields) => ({
    id: (await createStaff(db, dojo_id, fields)).id,
  })
  const confirmation = { current_password: PASSWORD }
  return {
    'POST /open-staff-invitations': {
      action: 'staff invited',
      prepare: () => ({ body: { ...GRANT, name: 'Kim Park' } }),
    },
    'POST /open-staff-invitations/:id/renew': { action: 'staff invited' },
    'DELETE /open-staff-invitations/:id': { action: 'staff invitation canceled' },
    'POST /staff-invitations/join': {
      action: 'staff joined',
      callerRole: 'guardian',
      prepare: async (ids) => {
        const form = { ...GRANT, name: 'Ann Adams' }
        const { body } = await (await signInInstructor(ids)).post('/open-staff-invitations', form)
        return { body: { invitation: String(body.link).replace(/^.*#/, '') } }
      },
    },
    'PUT /staff/:id': {
      action: 'staff rights changed',
      prepare: async (ids) => ({ params: await createMember(ids), body: GRANT }),
    },
    'POST /staff/:id/end': {
      action: 'staff ended',
      prepare: async (ids) => ({ params: await createMember(ids) }),
    },
    'POST /staff/:id/rehire': {
      action: 'staff rehired',
      prepare: async (ids) => {
        const params = await createMember(ids)
        await (await signInInstructor(ids)).post(`/staff/${params.id}/end`, {})
        return { params, body: GRANT }
      },
    },
    'POST /staff/:id/ownership': {
      action: 'owner made',
      prepare: async (ids) => ({ params: await createMember(ids), body: confirmation }),
    },
    'POST /staff/:id/ownership/remove': {
      action: 'ownership ended',
      prepare: async (ids) => ({
        params: await createMember(ids, { is_owner: true }),
        body: confirmation,
      }),
    },
    'POST /staff-certificates': { action: 'certificate added' },
    'PUT /staff-certificates/:id': { action: 'certificate changed' },
    'POST /staff-certificates/:id/renew': { action: 'certificate renewed' },
    'POST /staff-certificates/:id/recheck': { action: 'certificate rechecked' },
    'DELETE /staff-certificates/:id': { action: 'certificate removed' },
    'POST /staff-certificates/:id/restore': {
      action: 'certificate restored',
      prepare: async (ids) => {
        const id = ids.staff_certificate_id
        await (await signInInstructor(ids)).delete(`/staff-certificates/${id}`)
        return { params: { id } }
      },
    },
    'POST /certificate-kinds': { action: 'certificate kinds changed' },
    'PUT /certificate-kinds/:id': { action: 'certificate kinds changed' },
    'DELETE /certificate-kinds/:id': { action: 'certificate kinds changed' },
    'PUT /staff/rules': { action: 'staff rules changed' },
    'PUT /staff-hours/:id': { action: 'hours changed', prepare: () => ({ body: HOURS }) },
    'DELETE /staff-hours/:id': { action: 'hours deleted' },
    'POST /approved-staff-hours': { action: 'hours approved' },
    'PUT /staff-shifts/:id': { action: 'hours changed', prepare: () => ({ body: HOURS }) },
    'DELETE /staff-shifts/:id': { action: 'hours deleted' },
    'PUT /my/work-pin': { action: 'work PIN changed' },
    'DELETE /my/work-pin': { action: 'work PIN changed' },
    'POST /pay/periods': {
      action: 'pay period closed',
      // The sample dojo has already closed December.
      prepare: () => ({ body: { from: '2026-01-01', until: '2026-01-31' } }),
    },
    'POST /pay/rates': { action: 'pay rate set' },
    'DELETE /pay/rates/:id': { action: 'pay rate deleted' },
    'POST /pay/export': { action: 'pay downloaded', prepare: () => ({ body: {} }) },
  }
}

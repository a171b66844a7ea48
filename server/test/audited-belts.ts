import type { AuditedCall } from './audited-payments.ts'
import type { Ids } from './sample-ids.ts'
import type { ApiClient } from './test-server.ts'

const STYLE = { name: 'Judo', vacation_counts: true, class_ids: [] }
const LADDER = {
  name: 'Juniors',
  min_age: null,
  max_age: 12,
  age_counts: 'birthday',
  continues_as: null,
}
const RANK = {
  name: '9th kyu',
  colours: ['white'],
  pattern: 'solid',
  tags_count: 0,
  tags_colour: null,
  stripes: 0,
  belt_level: 'white',
  fee: null,
  min_months: null,
  min_classes: null,
  max_classes_a_day: null,
  min_age: null,
  max_age: null,
  min_stripes: null,
  needs_approval: false,
  needs_fee: false,
  skills: [],
}
const prepareLadder = () => ({ body: { ...LADDER, ranks: [RANK] } })

export const auditedBelts = (
  signInInstructor: (ids: Ids) => Promise<ApiClient>,
): Record<string, AuditedCall> => ({
  'POST /styles': { action: 'style added', prepare: () => ({ body: STYLE }) },
  'PUT /styles/:id': { action: 'style changed', prepare: () => ({ body: STYLE }) },
  'DELETE /styles/:id': {
    action: 'style removed',
    prepare: async (ids) => ({
      params: { id: (await (await signInInstructor(ids)).post('/styles', STYLE)).body.id },
    }),
  },
  'POST /styles/:id/ladders': { action: 'ladder added', prepare: prepareLadder },
  'PUT /ladders/:id': { action: 'ladder changed', prepare: prepareLadder },
  'DELETE /ladders/:id': {
    action: 'ladder removed',
    prepare: async (ids) => {
      const sensei = await signInInstructor(ids)
      return {
        params: {
          id: (await sensei.post(`/styles/${ids.style_id}/ladders`, { template: 'aikido' })).body
            .id,
        },
      }
    },
  },
  'POST /ladders/:id/conversion': { action: 'belts converted' },
  'POST /promotions': {
    action: 'students promoted',
    prepare: ({ sibling_id, rank_id }) => ({
      body: { promotions: [{ student_id: sibling_id, rank_id }] },
    }),
  },
  'POST /stripes': {
    action: 'stripes given',
    prepare: ({ student_id }) => ({ body: { student_ids: [student_id] } }),
  },
  'POST /promotions/acts/:id/undo': { action: 'promotions taken back' },
  'POST /promotions/:id/undo': { action: 'promotions taken back' },
})

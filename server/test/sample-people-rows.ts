import { newId } from '../db/columns.ts'
import type { SampleRows } from './sample-ids.ts'
import { SAMPLE_PICTURE } from './sample-picture.ts'

const created_at = '2026-01-01T00:00:00Z'

const newPicture = () => ({
  key: newId(),
  media_type: 'image/jpeg',
  width: '16',
  height: '16',
  bytes: `\\x${Buffer.from(SAMPLE_PICTURE, 'base64').toString('hex')}`,
  changed_at: created_at,
})

export const PEOPLE_ROWS: SampleRows = {
  instructors: (ids) => ({
    id: ids.instructor_id,
    name: 'Aiko Tanaka',
    email: ids.instructor_email,
    contact_number: '5125550100',
    phone_number: '5125550100',
    created_at,
  }),
  staff_members: (ids) => ({
    instructor_id: ids.instructor_id,
    is_owner: 'true',
    created_at,
  }),
  students: (ids) => ({
    id: ids.student_id,
    name: 'Ken Adams',
    email: ids.student_email,
    phone_number: '(512) 555-0142',
    created_at,
  }),
  guardians: (ids) => ({
    id: ids.guardian_id,
    name: 'Ann Adams',
    phone: '512 555 0143',
    email: ids.guardian_email,
    account_id: ids.guardian_id,
    created_at,
  }),
  guardianships: ({ guardian_id, student_id }) => ({
    guardian_id,
    student_id,
    relation: 'mother',
    sees_fees: 'true',
    pays: 'true',
    may_edit: 'true',
    note: 'Picks up on Mondays',
    since: created_at,
  }),
  log_in_invitations: ({ guardian_id, guardian_email }) => ({
    token_hash: newId(),
    guardian_id,
    email: guardian_email,
    created_at,
    expires_at: created_at,
  }),
  staff_invitations: ({ staff_invitation_id, instructor_id }) => ({
    id: staff_invitation_id,
    token_hash: newId(),
    name: 'Kim Park',
    rights: '{}',
    invited_by: instructor_id,
    created_at,
    expires_at: created_at,
  }),
  certificate_kinds: ({ certificate_kind_id }) => ({
    id: certificate_kind_id,
    name: 'First aid',
    months: '24',
    recheck_months: '12',
    created_at,
  }),
  staff_certificates: ({ staff_certificate_id, instructor_id, certificate_kind_id }) => ({
    id: staff_certificate_id,
    staff_id: instructor_id,
    kind_id: certificate_kind_id,
    got_on: '2015-03-01',
    expires_on: '2017-03-01',
    note: 'Card is in the office',
    created_at,
  }),
  staff_rules: () => ({ refuses_own_family: 'false' }),
  unrelated_students: ({ student_id, sibling_id }) => ({
    student_id,
    other_id: sibling_id,
    created_at,
  }),
  family_changes: ({ family_change_id, guardian_id, instructor_id, student_id }) => ({
    id: family_change_id,
    guardian_id,
    actor_id: instructor_id,
    created_at,
    details: JSON.stringify({
      is_new_guardian: false,
      students: [{ student_id, log_in: 'keep', before: null, payer_id: null }],
    }),
  }),
  student_imports: ({ import_id, instructor_id, student_id }) => ({
    id: import_id,
    actor_id: instructor_id,
    created_at: new Date().toISOString(),
    details: JSON.stringify({
      students: [{ id: student_id, mark: 'changed since' }],
      merged: [],
      guardians: [],
      classes: [],
    }),
  }),
  student_photos: ({ student_id }) => ({ student_id, ...newPicture() }),
  dojo_logos: () => newPicture(),
  student_notes: ({ student_id, instructor_id }) => ({
    student_id,
    allergies: 'Peanuts',
    private_notes: 'Shy at first',
    changed_at: created_at,
    changed_by: instructor_id,
  }),
}

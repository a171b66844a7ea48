import { newId } from '../db/columns.ts'
import type { SampleRows } from './sample-ids.ts'

const created_at = '2026-01-01T00:00:00Z'

export const BELT_ROWS: SampleRows = {
  styles: ({ style_id }) => ({ id: style_id, name: 'Karate', is_main: 'true', created_at }),
  class_styles: ({ class_id, style_id }) => ({ class_id, style_id }),
  ladders: ({ ladder_id, style_id }) => ({ id: ladder_id, style_id, name: 'Seniors', created_at }),
  ranks: ({ rank_id, ladder_id }) => ({
    id: rank_id,
    ladder_id,
    place: '0',
    name: '8th kyu',
    colours: '{yellow}',
    pattern: 'solid',
    stripes: '12',
    belt_level: 'yellow',
    fee: '4000',
  }),
  skills: ({ skill_id, rank_id }) => ({ id: skill_id, rank_id, place: '0', name: 'Front kick' }),
  belt_changes: ({ belt_change_id, student_id, instructor_id, style_id, rank_id, act_id }) => ({
    id: belt_change_id,
    student_id,
    belt_level: 'yellow',
    previous_belt: 'white',
    changed_at: created_at,
    changed_by: instructor_id,
    given_on: '2026-01-01',
    style_id,
    rank_id,
    act_id,
    examiner: 'Mr. Sato',
    note: 'Kept the left hand low',
  }),
  skill_checks: ({ student_id, skill_id, instructor_id }) => ({
    id: newId(),
    student_id,
    skill_id,
    is_checked: 'true',
    checked_at: created_at,
    checked_by: instructor_id,
  }),
  approvals: ({ student_id, rank_id, instructor_id }) => ({
    student_id,
    rank_id,
    approved_at: created_at,
    approved_by: instructor_id,
  }),
  outgrowing_notices: ({ student_id, ladder_id }) => ({
    student_id,
    ladder_id,
    told_at: created_at,
  }),
  gradings: ({ grading_id, style_id }) => ({
    id: grading_id,
    style_id,
    name: 'Spring grading',
    held_on: '2027-06-01',
    held_at: '18:00',
    created_at,
  }),
  candidates: ({ grading_id, student_id, rank_id }) => ({
    grading_id,
    student_id,
    to_rank_id: rank_id,
    added_at: created_at,
  }),
  certificates: ({ certificate_id, belt_change_id }) => ({
    id: certificate_id,
    belt_change_id,
    year: '2026',
    // Numbers have to be unique in a dojo.
    number: String(Number.parseInt(certificate_id.slice(-6), 16)),
    code: newId(),
    issued_at: created_at,
  }),
  certificate_counters: () => ({ year: '2026', last_number: '1' }),
}

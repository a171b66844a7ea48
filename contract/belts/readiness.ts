import { z } from 'zod'
import { missingRule, RANK_RULES } from './eligibility.ts'
import type { Api } from '../lib/endpoint.ts'
import { calendarDate, flag, idParams, uuid } from '../lib/fields.ts'
import { BELTS, heldRank, PROMOTION_KINDS, shownRank } from '../lib/ranks.ts'
import { MONEY_RIGHTS, hiddenWithout } from '../rights.ts'

/** A forecast assumes that a student keeps attending as often as in these past weeks. */
export const PACE_WEEKS = 8

const historyRow = z.object({
  id: z.uuid(),
  kind: z.enum(PROMOTION_KINDS),
  rank: heldRank,
  given_on: z.string(),
  examiner: z.string().nullable(),
  /** True if the promotion was undone. */
  is_corrected: z.boolean(),
})
const historyRowForInstructor = historyRow.extend({
  act_id: z.uuid().nullable(),
  given_by: z.string().nullable(),
  waived: z.array(z.enum(RANK_RULES)),
  note: z.string().nullable(),
  may_undo: z.boolean(),
})
const checkedSkill = z.object({
  id: z.uuid(),
  name: z.string(),
  required: z.boolean(),
  checked: z.boolean(),
})
const styleProgress = {
  style: z.object({ id: z.uuid(), name: z.string(), is_main: z.boolean() }),
  rank: heldRank,
  /** The day on which the student got this rank */
  since: z.string(),
  /** Classes and whole calendar months in this rank */
  classes: z.number(),
  months: z.number(),
  next: shownRank.nullable(),
  missing: z.array(missingRule),
  /** From 0 to 1: how much of the next rank's requirements, apart from the fee, the student has met.
   *  Null if there is no next rank or it has no requirements. */
  completion: z.number().nullable(),
  instructor_decides: z.boolean(),
  skills: z.array(checkedSkill),
  has_outgrown: z.boolean(),
}
const ownBelts = z.object({
  student_id: z.uuid(),
  name: z.string(),
  styles: z.array(z.object({ ...styleProgress, history: z.array(historyRow) })),
})
export type OwnBelts = z.output<typeof ownBelts>
const studentBelts = z.object({
  styles: z.array(
    z.object({
      ...styleProgress,
      max_stripes: z.number(),
      is_approved: z.boolean(),
      history: z.array(historyRowForInstructor),
    }),
  ),
})
export type StudentBelts = z.output<typeof studentBelts>

/** `short`: some requirements are not met. `instructor_decides`: the next rank has no requirements.
 *  `promoted`: got a rank on the day of the list. `top`: there is no higher rank. `outgrown`: too
 *  old for the ladder. */
export const READINESS = [
  'ready',
  'instructor_decides',
  'short',
  'promoted',
  'trial',
  'vacation',
  'outgrown',
  'top',
] as const
export type Readiness = (typeof READINESS)[number]
const readyStudent = z.object({
  student_id: z.uuid(),
  name: z.string(),
  belt_level: z.enum(BELTS),
  rank: heldRank,
  since: z.string(),
  classes: z.number(),
  months: z.number(),
  next: shownRank.nullable(),
  fee: hiddenWithout(MONEY_RIGHTS, z.number().nullable(), null),
  missing: z.array(missingRule),
  instructor_decides: z.boolean(),
  readiness: z.enum(READINESS),
  is_approved: z.boolean(),
  max_stripes: z.number(),
  belt_size: z.string().nullable(),
})
export type ReadyStudent = z.output<typeof readyStudent>
const readyList = z.object({
  style_id: z.uuid(),
  on: z.string(),
  /** In the order of `READINESS`, then by how little is missing. */
  students: z.array(readyStudent),
})
export type ReadyList = z.output<typeof readyList>

const readyQuery = z.object({
  style_id: uuid('Style').optional(),
  /** Today by default; a later day is a forecast. */
  on: calendarDate('Date').optional(),
})
export type ReadyQuery = z.output<typeof readyQuery>

export const readinessApi = {
  ready: {
    method: 'GET',
    path: '/belts/ready',
    access: 'instructor',
    right: 'belts.grade',
    summary: 'Students who are ready for their next rank on a day, and what other students need',
    query: readyQuery,
    reply: readyList,
  },
  ofStudent: {
    method: 'GET',
    path: '/students/:id/belts',
    access: 'instructor',
    right: 'students.read',
    summary: "A student's rank and history in every style, and what the next ranks still require",
    params: idParams,
    reply: studentBelts,
  },
  own: {
    method: 'GET',
    path: '/my/belts',
    access: 'member',
    right: 'own',
    summary: "Ranks and history of the caller, or of a guardian's students",
    reply: z.object({ students: z.array(ownBelts) }),
  },
  checkSkill: {
    method: 'PUT',
    path: '/students/:id/skills/:skillId',
    access: 'instructor',
    right: 'belts.grade',
    summary: 'Check or uncheck a skill of a student',
    params: idParams.extend({ skillId: uuid('Skill') }),
    body: z.object({ checked: flag('Checked') }),
    reply: z.object({ success: z.literal(true) }),
  },
  approve: {
    method: 'PUT',
    path: '/students/:id/approvals/:rankId',
    access: 'instructor',
    right: 'belts.grade',
    summary: 'Approve a student for a rank, or withdraw the approval',
    params: idParams.extend({ rankId: uuid('Rank') }),
    body: z.object({ approved: flag('Approved') }),
    reply: z.object({ success: z.literal(true) }),
  },
} as const satisfies Api

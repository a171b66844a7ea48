import { z } from 'zod'
import { evenOnVacation, sentTexts } from '../texting/conversations.ts'
import type { Api } from '../lib/endpoint.ts'
import {
  calendarDate,
  clearable,
  dollars,
  unrestrictedName,
  idParams,
  oneOf,
  singleLineText,
  success,
  uuid,
} from '../lib/fields.ts'
import { TEXT_MAX } from '../texting/bulk-message.ts'
import { outgoingLine, outgoingText } from '../texting/outgoing-text.ts'
import { BELTS, heldRank, shownRank } from '../lib/ranks.ts'
import { MONEY_RIGHTS, hiddenWithout } from '../rights.ts'

export const MAX_CANDIDATES = 200
export const GRADING_STATES = ['draft', 'open', 'closed', 'finished'] as const
export type GradingState = (typeof GRADING_STATES)[number]
export const ANSWERS = ['none', 'yes', 'no'] as const
export type GradingAnswer = (typeof ANSWERS)[number]
/** `partial`: the student gets stripes instead of a new rank. */
export const RESULTS = ['pass', 'partial', 'fail', 'absent'] as const
export type GradingResult = (typeof RESULTS)[number]
/** `none`: there is no fee, or it has not been charged yet. */
const FEE_STATES = ['none', 'due', 'paid', 'waived'] as const

export const gradingForm = z.object({
  name: outgoingLine('Name', 80),
  held_on: calendarDate('Date'),
  /** HH:MM in the dojo's time zone. */
  held_at: clearable(
    z.string('Time must be HH:MM').regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Time must be HH:MM'),
  ),
  place: clearable(outgoingLine('Place', 100)),
  fee: dollars('Fee').nullable(),
  answer_until: clearable(calendarDate('Answer by')),
  examiner: clearable(unrestrictedName('Examiner')),
})
export type GradingForm = z.output<typeof gradingForm>

const newCandidate = z.object(
  { student_id: uuid('Student'), to_rank_id: uuid('Rank') },
  'A candidate must be an object',
)
const newCandidates = z
  .array(newCandidate, 'Candidates must be a list')
  .max(MAX_CANDIDATES, `At most ${MAX_CANDIDATES} candidates`)

const newGrading = gradingForm.extend({
  style_id: uuid('Style').optional(),
  candidates: newCandidates.optional(),
})
export type NewGrading = z.output<typeof newGrading>

const studentIds = z
  .array(uuid('Student'), 'Students must be a list')
  .max(MAX_CANDIDATES, `At most ${MAX_CANDIDATES} students`)
const candidateChanges = z.object({
  add: newCandidates.optional(),
  remove: studentIds.optional(),
  waive_fee: studentIds.optional(),
})
export type CandidateChanges = z.output<typeof candidateChanges>

const candidate = z.object({
  student_id: z.uuid(),
  name: z.string(),
  belt_level: z.enum(BELTS),
  belt_size: z.string().nullable(),
  /** The rank before the belt test. Null for a student without a rank in this style. */
  from_rank: heldRank.nullable(),
  to_rank: shownRank,
  /** True if the student was given this rank, or a higher one, outside of the belt test. */
  has_rank: z.boolean(),
  /** How many stripes the rank before the belt test can have. */
  max_stripes: z.number(),
  invited_at: z.string().nullable(),
  answer: z.enum(ANSWERS),
  answered_at: z.string().nullable(),
  fee: hiddenWithout(MONEY_RIGHTS, z.number().nullable(), null),
  fee_state: hiddenWithout(MONEY_RIGHTS, z.enum(FEE_STATES), 'none'),
  charge_id: z.uuid().nullable(),
  result: z.enum(RESULTS).nullable(),
  stripes_given: z.number().nullable(),
  note: z.string().nullable(),
  promotion_id: z.uuid().nullable(),
})
export type Candidate = z.output<typeof candidate>

const publicDetails = z.object({
  name: z.string(),
  held_on: z.string(),
  held_at: z.string().nullable(),
  place: z.string().nullable(),
  fee: z.number().nullable(),
  answer_until: z.string().nullable(),
})

const gradingSummary = publicDetails.extend({
  id: z.uuid(),
  style_id: z.uuid(),
  examiner: z.string().nullable(),
  state: z.enum(GRADING_STATES),
  /** Answers and results do not count for candidates who already have the rank. */
  counts: z.object({
    candidates: z.number(),
    invited: z.number(),
    yes: z.number(),
    no: z.number(),
    unanswered: z.number(),
    passed: z.number(),
  }),
})
export type GradingSummary = z.output<typeof gradingSummary>

/** Candidates are sorted by the rank that they test for, lowest first, and then by name. */
const grading = gradingSummary.extend({ candidates: z.array(candidate) })
export type Grading = z.output<typeof grading>

const STRIPES_ERROR = 'Stripes must be a whole number from 0 to 12'
const result = z.object(
  {
    student_id: uuid('Student'),
    result: oneOf('Result', RESULTS).nullable(),
    stripes_given: z
      .number(STRIPES_ERROR)
      .int(STRIPES_ERROR)
      .min(0, STRIPES_ERROR)
      .max(12, STRIPES_ERROR)
      .nullable()
      .optional(),
    note: clearable(singleLineText('Note', 300)),
  },
  'A result must be an object',
)
const results = z.object({
  results: z
    .array(result, 'Results must be a list')
    .min(1, 'At least one result')
    .max(MAX_CANDIDATES, `At most ${MAX_CANDIDATES} results`),
})
export type GradingResults = z.output<typeof results>

const ownInvitation = publicDetails.extend({
  grading_id: z.uuid(),
  student_id: z.uuid(),
  student_name: z.string(),
  to_rank: shownRank,
  answer: z.enum(ANSWERS),
  may_answer: z.boolean(),
})
export type OwnInvitation = z.output<typeof ownInvitation>

export const gradingsApi = {
  list: {
    method: 'GET',
    path: '/gradings',
    access: 'instructor',
    right: 'belts.grade',
    summary: 'The gradings, latest first',
    reply: z.array(gradingSummary),
  },
  create: {
    method: 'POST',
    path: '/gradings',
    access: 'instructor',
    right: 'belts.promote',
    summary: 'Plan a grading, with its first candidates',
    idempotent: true,
    body: newGrading,
    reply: grading,
  },
  show: {
    method: 'GET',
    path: '/gradings/:id',
    access: 'instructor',
    right: 'belts.grade',
    summary: 'A grading with its candidates, their answers, fees and results',
    params: idParams,
    reply: grading,
  },
  change: {
    method: 'PUT',
    path: '/gradings/:id',
    access: 'instructor',
    right: 'belts.promote',
    summary: 'Change a grading that is not finished',
    params: idParams,
    body: gradingForm,
    reply: grading,
  },
  remove: {
    method: 'DELETE',
    path: '/gradings/:id',
    access: 'instructor',
    right: 'belts.promote',
    summary: 'Remove a grading that is not finished; unpaid fees are written off',
    params: idParams,
    reply: success,
  },
  changeCandidates: {
    method: 'PUT',
    path: '/gradings/:id/candidates',
    access: 'instructor',
    right: 'belts.promote',
    summary: 'Add or remove candidates of a grading, or waive their fees',
    params: idParams,
    body: candidateChanges,
    reply: grading,
  },
  invite: {
    method: 'POST',
    path: '/gradings/:id/invitations',
    access: 'instructor',
    right: 'belts.promote',
    summary:
      'Invite candidates by notification and text, and charge the fee; refused if one of them ' +
      'already has the rank',
    idempotent: true,
    params: idParams,
    body: z.object({
      student_ids: studentIds.min(1, 'At least one student'),
      /** `{name}` becomes the first name. Null sends no text, only the notification. */
      text: outgoingText('Message', TEXT_MAX).nullable(),
      ...evenOnVacation,
    }),
    /** `texts` is null if the request had no text, or if no candidate has a phone for texts. */
    reply: z.object({ grading, texts: sentTexts.nullable() }),
  },
  answer: {
    method: 'PUT',
    path: '/gradings/:id/answers/:studentId',
    access: 'member',
    right: 'belts.grade',
    summary: 'Answer an invitation; instructors may answer for any candidate',
    params: idParams.extend({ studentId: uuid('Student') }),
    body: z.object({ answer: oneOf('Answer', ['yes', 'no']) }),
    reply: success,
  },
  own: {
    method: 'GET',
    path: '/my/gradings',
    access: 'member',
    right: 'own',
    summary: "Invitations to upcoming gradings for the caller, or for a guardian's students",
    reply: z.array(ownInvitation),
  },
  results: {
    method: 'PUT',
    path: '/gradings/:id/results',
    access: 'instructor',
    right: 'belts.grade',
    summary: 'Record results; no one is promoted until the grading is finished',
    params: idParams,
    body: results,
    reply: grading,
  },
  finish: {
    method: 'POST',
    path: '/gradings/:id/finish',
    access: 'instructor',
    right: 'belts.promote',
    summary: 'Promote students who passed, and give stripes for partial passes. Works only once',
    params: idParams,
    reply: z.object({ grading, promoted: z.number() }),
  },
} as const satisfies Api

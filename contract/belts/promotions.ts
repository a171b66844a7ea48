import { z } from 'zod'
import { RANK_RULES } from './eligibility.ts'
import type { Api } from '../lib/endpoint.ts'
import { calendarDate, clearable, idParams, oneOf, singleLineText, uuid } from '../lib/fields.ts'
import { heldRank, shownRank } from '../lib/ranks.ts'

export const MAX_PROMOTIONS = 200

const studentIds = z
  .array(uuid('Student'), 'Students must be a list')
  .min(1, 'At least one student')
  .max(MAX_PROMOTIONS, `At most ${MAX_PROMOTIONS} students`)
  .refine((ids) => new Set(ids).size === ids.length, 'A student is listed twice')

const promotion = z.object(
  {
    student_id: uuid('Student'),
    rank_id: uuid('Rank'),
    waived: z
      .array(oneOf('Rule', RANK_RULES), 'Rules must be a list')
      .max(RANK_RULES.length, 'A rule is listed twice')
      .optional(),
  },
  'A promotion must be an object',
)
export const newPromotions = z.object({
  promotions: z
    .array(promotion, 'Promotions must be a list')
    .min(1, 'At least one student')
    .max(MAX_PROMOTIONS, `At most ${MAX_PROMOTIONS} students`)
    .refine(
      (promotions) =>
        new Set(promotions.map(({ student_id }) => student_id)).size === promotions.length,
      'A student is listed twice',
    ),
  /** For `promotion`, the default, the server determines the kind from the ranks. */
  kind: oneOf('Kind', ['promotion', 'conversion', 'import', 'correction']).optional(),
  given_on: clearable(calendarDate('Date')),
  examiner: clearable(singleLineText('Examiner', 100)),
  note: clearable(singleLineText('Note', 300)),
  /** Classes in this rank before the school used Tatami. */
  classes_before: z
    .number('Classes must be a whole number')
    .int('Classes must be a whole number')
    .min(0, 'Classes must be 0 or more')
    .max(10_000, 'Classes must be at most 10,000')
    .optional(),
})
export type NewPromotions = z.output<typeof newPromotions>

const promotionResult = z.object({
  act_id: z.uuid(),
  students: z.array(
    z.object({ promotion_id: z.uuid(), student_id: z.uuid(), name: z.string(), rank: heldRank }),
  ),
})
export type PromotionResult = z.output<typeof promotionResult>

const undoReply = z.object({ undone: z.number() })

const promotionPreview = z.object({
  students: z.array(
    z.object({
      student_id: z.uuid(),
      name: z.string(),
      from: heldRank.nullable(),
      to: shownRank,
      /** The names of the people who get a notification. */
      told: z.array(z.string()),
    }),
  ),
  /** Upcoming belt tests in which some of these students are candidates, the next one first. */
  belt_tests: z.array(z.object({ held_on: z.string(), names: z.array(z.string()) })),
})
export type PromotionPreview = z.output<typeof promotionPreview>

export const RECENT_BATCH_DAYS = 30
export const MAX_RECENT_BATCHES = 30
/** Promotions that were given together, by one press of a button. */
const promotionBatch = z.object({
  act_id: z.uuid(),
  changed_at: z.string(),
  given_by: z.string().nullable(),
  students: z.array(
    z.object({
      student_id: z.uuid(),
      name: z.string(),
      rank: heldRank,
      /** True if the promotion was undone. */
      is_corrected: z.boolean(),
    }),
  ),
})
export type PromotionBatch = z.output<typeof promotionBatch>

export const promotionsApi = {
  promote: {
    method: 'POST',
    path: '/promotions',
    access: 'instructor',
    right: 'belts.promote',
    summary: 'Promote up to 200 students, all or none. `waived` lists unmet requirements to ignore',
    idempotent: true,
    body: newPromotions,
    reply: promotionResult,
  },
  preview: {
    method: 'POST',
    path: '/promotions/preview',
    access: 'instructor',
    right: 'belts.promote',
    summary: 'Preview a promotion: the new ranks and the people to be notified. Changes nothing',
    readOnly: true,
    body: newPromotions,
    reply: promotionPreview,
  },
  recentBatches: {
    method: 'GET',
    path: '/promotions/acts',
    access: 'instructor',
    right: 'belts.promote',
    summary: `Promotions of the last ${RECENT_BATCH_DAYS} days, grouped by batch, newest first`,
    reply: z.object({ acts: z.array(promotionBatch).max(MAX_RECENT_BATCHES) }),
  },
  giveStripes: {
    method: 'POST',
    path: '/stripes',
    access: 'instructor',
    right: 'belts.promote',
    summary: 'Give students one more stripe on their current rank',
    idempotent: true,
    body: z.object({ student_ids: studentIds, style_id: uuid('Style').optional() }),
    reply: promotionResult,
  },
  undoBatch: {
    method: 'POST',
    path: '/promotions/acts/:id/undo',
    access: 'instructor',
    right: 'belts.promote',
    summary: 'Undo a batch: all promotions that were given together',
    params: idParams,
    reply: undoReply,
  },
  undo: {
    method: 'POST',
    path: '/promotions/:id/undo',
    access: 'instructor',
    right: 'belts.promote',
    summary: "Undo a student's newest promotion in a style, with its certificate and notifications",
    params: idParams,
    reply: undoReply,
  },
} as const satisfies Api

import { z } from 'zod'
import { sentTexts, textsToStudents } from '../texting/conversations.ts'
import type { Api } from '../lib/endpoint.ts'
import { pageQuery } from '../lib/fields.ts'
import { BELTS, heldRank } from '../lib/ranks.ts'

/** Days since the last class. */
const BANDS = ['days_7_to_14', 'days_15_to_21', 'days_22_to_30', 'over_30_days'] as const
const BAND_LAST_DAYS = [14, 21, 30, Infinity]

/** After this many days without a class somebody has missed a week. */
export const MISSED_DAYS = 7
/** Attendance of this many days is compared with that of as many days before. */
export const COMPARED_DAYS = 28
/** Fewer classes than these in the earlier days say nothing. */
const COMPARED_CLASSES = 4
/** Within so many days after a text somebody has come back because of it. */
export const RETURN_DAYS = 14
/** Texts of these last days are counted. */
export const OUTCOME_DAYS = 90

/** `coming_less` are those whose attendance fell by a quarter, in a band or not; `trial` are in no other list. */
export const SLIPPING_LISTS = [...BANDS, 'coming_less', 'trial'] as const
export type SlippingList = (typeof SLIPPING_LISTS)[number]

/** What is counted of a student. Days of vacation and the dojo's holidays are no days; the last class of somebody who never came is the enrolment. */
export type SlippingCounts = {
  days: number
  /** Classes of the last 28 days, and of the 28 before. */
  classes_since: number
  classes_before: number
  is_trial: boolean
  /** Came on more than one day. */
  came_again: boolean
}

/** The lists that a student is in: none for somebody who comes as ever. */
export function slippingListsOf({
  days,
  classes_since,
  classes_before,
  is_trial,
  came_again,
}: SlippingCounts): SlippingList[] {
  const hasMissedAWeek = days >= MISSED_DAYS
  if (is_trial && !came_again) return hasMissedAWeek ? ['trial'] : []
  const band = BANDS[BAND_LAST_DAYS.findIndex((last) => days <= last)]!
  const comesLess =
    classes_before >= COMPARED_CLASSES && (classes_before - classes_since) * 4 >= classes_before
  return [...(hasMissedAWeek ? [band] : []), ...(comesLess ? (['coming_less'] as const) : [])]
}

const slippingStudent = z.object({
  student_id: z.uuid(),
  name: z.string(),
  belt_level: z.enum(BELTS),
  /** Null where the dojo keeps no ladders. */
  rank: heldRank.nullable(),
  lists: z.array(z.enum(SLIPPING_LISTS)),
  /** The day of the last class; null for somebody who never came. */
  last_class_on: z.string().nullable(),
  days: z.number(),
  classes_since: z.number(),
  classes_before: z.number(),
  /** When a text last went to the student from this list. */
  texted_on: z.string().nullable(),
})
export type SlippingStudent = z.output<typeof slippingStudent>

const slippingAway = z.object({
  /** How many students are in any list, and in each: some are in two. */
  counts: z.object({
    all: z.number(),
    days_7_to_14: z.number(),
    days_15_to_21: z.number(),
    days_22_to_30: z.number(),
    over_30_days: z.number(),
    coming_less: z.number(),
    trial: z.number(),
  }),
  /** Who missed a class last comes first; trial students come after the others. */
  students: z.array(slippingStudent),
  /** Students texted from this list in the last 90 days: who came within 14 days, and for whom these are not over. */
  outcome: z.object({ texted: z.number(), came_back: z.number(), still_open: z.number() }),
})
export type SlippingAway = z.output<typeof slippingAway>

export const slippingAwayApi = {
  list: {
    method: 'GET',
    path: '/slipping-away',
    access: 'instructor',
    summary:
      'Students who have not come for a week or more, or come less often, and what became of texts to them. `counts` are of all, `limit` cuts the list only',
    query: pageQuery.pick({ limit: true }),
    reply: slippingAway,
  },
  text: {
    method: 'POST',
    path: '/slipping-away/texts',
    access: 'instructor',
    summary:
      'Text students of that list, and remember whom; a repeated Idempotency-Key gets the first answer',
    idempotent: true,
    body: textsToStudents,
    reply: sentTexts,
  },
} as const satisfies Api

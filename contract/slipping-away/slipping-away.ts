import { z } from 'zod'
import { sentTexts, textsToStudents } from '../texting/conversations.ts'
import type { Api } from '../lib/endpoint.ts'
import { pageQuery } from '../lib/fields.ts'
import { BELTS, heldRank } from '../lib/ranks.ts'

const BANDS = ['days_7_to_14', 'days_15_to_21', 'days_22_to_30', 'over_30_days'] as const
const BAND_LAST_DAYS = [14, 21, 30, Infinity]

export const MISSED_DAYS = 7
/** Attendance of this many days is compared with that of as many days before. */
export const COMPARED_DAYS = 28
const COMPARED_CLASSES = 4
export const RETURN_DAYS = 14
export const OUTCOME_DAYS = 90

/** `coming_less`: attendance fell by a quarter, also of students in a band. `trial` are in no
 *  other list. */
export const SLIPPING_LISTS = [...BANDS, 'coming_less', 'trial'] as const
export type SlippingList = (typeof SLIPPING_LISTS)[number]

/** Days of vacation and holidays do not count. Somebody who never came counts from enrollment. */
export type SlippingCounts = {
  days: number
  classes_since: number
  classes_before: number
  is_trial: boolean
  came_again: boolean
}

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
  rank: heldRank.nullable(),
  lists: z.array(z.enum(SLIPPING_LISTS)),
  last_class_on: z.string().nullable(),
  days: z.number(),
  classes_since: z.number(),
  classes_before: z.number(),
  texted_on: z.string().nullable(),
})
export type SlippingStudent = z.output<typeof slippingStudent>

const slippingAway = z.object({
  counts: z.object({
    all: z.number(),
    days_7_to_14: z.number(),
    days_15_to_21: z.number(),
    days_22_to_30: z.number(),
    over_30_days: z.number(),
    coming_less: z.number(),
    trial: z.number(),
  }),
  students: z.array(slippingStudent),
  /** Students texted in the last 90 days; `still_open`: their 14 days are not over. */
  outcome: z.object({ texted: z.number(), came_back: z.number(), still_open: z.number() }),
})
export type SlippingAway = z.output<typeof slippingAway>

export const slippingAwayApi = {
  list: {
    method: 'GET',
    path: '/slipping-away',
    access: 'instructor',
    summary: 'Students who missed a week or come less often, and what texts to them achieved',
    query: pageQuery.pick({ limit: true }),
    reply: slippingAway,
  },
  text: {
    method: 'POST',
    path: '/slipping-away/texts',
    access: 'instructor',
    summary: 'Text students of that list',
    idempotent: true,
    body: textsToStudents,
    reply: sentTexts,
  },
} as const satisfies Api

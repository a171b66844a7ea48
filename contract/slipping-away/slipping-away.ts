import { z } from 'zod'
import { sentTexts, textsToStudents } from '../texting/conversations.ts'
import type { Api } from '../lib/endpoint.ts'
import { pageQuery } from '../lib/fields.ts'
import { BELTS, heldRank } from '../lib/ranks.ts'

const BANDS = ['days_7_to_14', 'days_15_to_21', 'days_22_to_30', 'over_30_days'] as const

function findBand(days: number): (typeof BANDS)[number] {
  if (days <= 14) return 'days_7_to_14'
  if (days <= 21) return 'days_15_to_21'
  return days <= 30 ? 'days_22_to_30' : 'over_30_days'
}

export const MISSED_DAYS = 7
/** The last 28 days are compared with the 28 days before. */
export const COMPARED_DAYS = 28
/** With fewer classes, one missed class would be more than a quarter. */
const MIN_COMPARED_CLASSES = 4
/** A student came back if they come to class within this many days after a text. */
export const RETURN_DAYS = 14
/** The outcome counts the texts of this many days. */
export const OUTCOME_DAYS = 90

/** `coming_less`: attendance fell by a quarter. Students on the `trial` list are on no other. */
export const SLIPPING_LISTS = [...BANDS, 'coming_less', 'trial'] as const
export type SlippingList = (typeof SLIPPING_LISTS)[number]

/** `days` is the time since the last class or enrollment, without vacations and holidays.
 *  `classes_since` counts classes in the last 28 days, and `classes_before` in the 28 days before.
 *  `came_again` is false for a trial student with at most one class. */
export type SlippingCounts = {
  days: number
  classes_since: number
  classes_before: number
  is_trial: boolean
  came_again: boolean
}

export function findSlippingLists({
  days,
  classes_since,
  classes_before,
  is_trial,
  came_again,
}: SlippingCounts): SlippingList[] {
  const hasMissedAWeek = days >= MISSED_DAYS
  if (is_trial && !came_again) return hasMissedAWeek ? ['trial'] : []
  const lists: SlippingList[] = []
  if (hasMissedAWeek) lists.push(findBand(days))
  const missedClasses = classes_before - classes_since
  const missedAQuarter = missedClasses * 4 >= classes_before
  if (classes_before >= MIN_COMPARED_CLASSES && missedAQuarter) lists.push('coming_less')
  return lists
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
  /** Students who were texted in the last 90 days. `still_open` have not come back, but have days
   *  left. */
  outcome: z.object({ texted: z.number(), came_back: z.number(), still_open: z.number() }),
})
export type SlippingAway = z.output<typeof slippingAway>

export const slippingAwayApi = {
  list: {
    method: 'GET',
    path: '/slipping-away',
    access: 'instructor',
    right: 'students.read',
    summary: 'Students at risk, and how many came back after a text',
    query: pageQuery.pick({ limit: true }),
    reply: slippingAway,
  },
  text: {
    method: 'POST',
    path: '/slipping-away/texts',
    access: 'instructor',
    right: 'texts.send',
    summary: 'Text students who are at risk',
    idempotent: true,
    body: textsToStudents,
    reply: sentTexts,
  },
} as const satisfies Api

import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'

const membershipRow = z.object({
  student_id: z.uuid(),
  /** The plan that is no add-on, which is in force today or comes next. */
  plan_id: z.uuid().nullable(),
  plan_name: z.string().nullable(),
  add_on_ids: z.array(z.uuid()),
  /** The last day of that plan. */
  ends_on: z.string().nullable(),
  /** The last day of a hold that is on today. */
  hold_ends_on: z.string().nullable(),
})
export type MembershipRow = z.output<typeof membershipRow>

/** A line of the list behind a figure. Students can have several. */
const figureRow = z.object({
  student_id: z.uuid(),
  /** Null for the monthly fee without a plan. */
  plan_id: z.uuid().nullable(),
  plan_name: z.string(),
  /** The first or last day, if the figure counts days. */
  day: z.string().nullable(),
  /** In dollars, if the figure is a sum. */
  amount: z.number().nullable(),
})
export type FigureRow = z.output<typeof figureRow>

const membershipFigures = z.object({
  month: z.number(),
  year: z.number(),
  /** What the plans in force bring in a month, in dollars, with all cycles as months. */
  recurring_revenue: z.number(),
  /** `plan_id` is null for students who pay the monthly fee without a plan. */
  by_plan: z.array(
    z.object({
      plan_id: z.uuid().nullable(),
      plan_name: z.string(),
      members: z.number(),
      recurring_revenue: z.number(),
    }),
  ),
  joining: z.number(),
  ending: z.number(),
  holds_ending: z.number(),
  /** What falls due next month, in dollars. */
  next_month: z.number(),
  /** The figures above are the sums and the lengths of these lists. */
  lists: z.object({
    members: z.array(figureRow),
    joining: z.array(figureRow),
    ending: z.array(figureRow),
    holds_ending: z.array(figureRow),
    next_month: z.array(figureRow),
  }),
})
export type MembershipFigures = z.output<typeof membershipFigures>
export type FigureLists = MembershipFigures['lists']

export const membershipListApi = {
  list: {
    method: 'GET',
    path: '/membership-list',
    access: 'instructor',
    right: 'students.read',
    summary: 'Which plan each student has, and what ends. Students without a plan are left out',
    reply: z.array(membershipRow),
  },
} as const satisfies Api

export const membershipFiguresApi = {
  show: {
    method: 'GET',
    path: '/membership-figures',
    access: 'instructor',
    right: 'money.see',
    summary: 'What plans bring in a month, who joins and ends, and what next month will bring',
    reply: membershipFigures,
  },
} as const satisfies Api

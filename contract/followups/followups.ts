import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { idParams, oneOf, success } from '../lib/fields.ts'
import { followPlanForm, planStep, STEP_KINDS } from './steps.ts'

/** Today shows so many steps and counts the others. */
export const SHOWN_STEPS = 7

export const FOLLOWUP_STATES = ['open', 'done', 'skipped'] as const
export type FollowupState = (typeof FOLLOWUP_STATES)[number]

const followPlan = followPlanForm.extend({
  /** 0 if nobody has saved the plan yet. */
  version: z.number(),
  steps: z.array(planStep),
  /** Students start who come to their first class from this day on. Null if the plan is off. */
  starts_from: z.string().nullable(),
})
export type FollowPlan = z.output<typeof followPlan>

/** A step that a person should do now. */
const dueStep = z.object({
  id: z.uuid(),
  student_id: z.uuid(),
  student_name: z.string(),
  /** The day of the plan on which the student is. */
  plan_day: z.number(),
  kind: z.enum(STEP_KINDS),
  words: z.string(),
})
export type DueStep = z.output<typeof dueStep>

export const dueSteps = z.object({ steps: z.array(dueStep), total: z.number() })
export type DueSteps = z.output<typeof dueSteps>

const followup = planStep.extend({
  id: z.uuid(),
  state: z.enum(FOLLOWUP_STATES),
  is_due: z.boolean(),
  closed_on: z.string().nullable(),
  closed_by_name: z.string().nullable(),
  skipped_why: z.string().nullable(),
})
export type Followup = z.output<typeof followup>

/** The first 90 days of one student. */
const studentFollowups = z.object({
  /** Null if the student never started, or if the plan is over or stopped. */
  plan_day: z.number().nullable(),
  started_on: z.string().nullable(),
  /** True during a vacation or hold. */
  is_paused: z.boolean(),
  /** True if somebody may start the plan by hand. */
  may_start: z.boolean(),
  steps: z.array(followup),
})
export type StudentFollowups = z.output<typeof studentFollowups>

const newStudent = z.object({
  student_id: z.uuid(),
  student_name: z.string(),
  plan_day: z.number(),
  is_paused: z.boolean(),
  next_step: z.string().nullable(),
  next_step_day: z.number().nullable(),
})
export type NewStudent = z.output<typeof newStudent>

export const followupsApi = {
  plan: {
    method: 'GET',
    path: '/followups/plan',
    access: 'instructor',
    right: 'students.read',
    summary: 'The plan for the first 90 days of new students',
    reply: followPlan,
  },
  changePlan: {
    method: 'PUT',
    path: '/followups/plan',
    access: 'instructor',
    right: 'settings',
    summary: 'Change the plan, or turn it on or off. Students who started keep their steps',
    body: followPlanForm,
    reply: followPlan,
  },
  due: {
    method: 'GET',
    path: '/followups/due',
    access: 'instructor',
    right: 'students.read',
    summary: 'All steps that are due, oldest first',
    reply: dueSteps,
  },
  students: {
    method: 'GET',
    path: '/followups/students',
    access: 'instructor',
    right: 'students.read',
    summary: 'The students who are in their first 90 days',
    reply: z.array(newStudent),
  },
  firstWeek: {
    method: 'GET',
    path: '/followups/first-week',
    access: 'instructor',
    right: 'roll',
    summary: 'The students who are in their first week, or have not come yet, for the roll',
    reply: z.object({ student_ids: z.array(z.uuid()) }),
  },
  student: {
    method: 'GET',
    path: '/followups/students/:id',
    access: 'instructor',
    right: 'students.read',
    summary: 'The first 90 days of a student: done, skipped and coming steps',
    params: idParams,
    reply: studentFollowups,
  },
  start: {
    method: 'POST',
    path: '/followups/students/:id/start',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Start the plan by hand, for example for a student who returned',
    params: idParams,
    reply: studentFollowups,
  },
  stop: {
    method: 'POST',
    path: '/followups/students/:id/stop',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Skip all open steps of a student',
    params: idParams,
    reply: studentFollowups,
  },
  setState: {
    method: 'PUT',
    path: '/followups/steps/:id',
    access: 'instructor',
    right: 'students.read',
    summary: 'Mark a step as done or skipped, or open it again. 409 for a text that was sent',
    params: idParams,
    body: z.object({ state: oneOf('State', FOLLOWUP_STATES) }),
    reply: success,
  },
} as const satisfies Api

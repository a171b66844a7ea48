import { z } from 'zod'
import { flag, oneOf, singleLineText } from '../lib/fields.ts'
import { PLAN_DAYS } from './plan-day.ts'

const MAX_STEPS = 12

/** Texts are sent automatically. The other steps are done by a person: `look` after the student in
 *  class, `call` them, or write a `note`. */
export const STEP_KINDS = ['look', 'call', 'text', 'note'] as const
export type StepKind = (typeof STEP_KINDS)[number]

/** When a step is needed: always, after fewer than three classes, or after a week without one. */
export const STEP_CONDITIONS = ['always', 'few_classes', 'away'] as const
export type StepCondition = (typeof STEP_CONDITIONS)[number]
export const FEW_CLASSES = 3
export const AWAY_DAYS = 7

const DAY_RULE = `Day must be a whole number from 1 to ${PLAN_DAYS}`

export const planStep = z.object(
  {
    day: z.number(DAY_RULE).int(DAY_RULE).min(1, DAY_RULE).max(PLAN_DAYS, DAY_RULE),
    kind: oneOf('Kind', STEP_KINDS),
    /** What to do. Of a text: its words, in which {name} stands for the first names. */
    words: singleLineText('Words', 300),
    condition: oneOf('Condition', STEP_CONDITIONS),
  },
  { error: 'A step must have a day, a kind, words and a condition' },
)
export type PlanStep = z.output<typeof planStep>

export const followPlanForm = z.object({
  is_on: flag('On'),
  steps: z
    .array(planStep, { error: 'Steps must be a list' })
    .min(1, 'Add at least one step')
    .max(MAX_STEPS, `At most ${MAX_STEPS} steps`),
})
export type FollowPlanForm = z.output<typeof followPlanForm>

/** Asking for friends and reviews is a person's step: a text about it would be advertising. */
export const DEFAULT_STEPS: readonly PlanStep[] = [
  { day: 1, kind: 'look', words: 'Look after them', condition: 'always' },
  {
    day: 3,
    kind: 'text',
    words: 'Hi {name}, how was the first class? Just reply if you have any questions.',
    condition: 'always',
  },
  { day: 10, kind: 'call', words: 'Ask how they like it', condition: 'few_classes' },
  { day: 30, kind: 'note', words: 'Give a stripe or write a note home', condition: 'always' },
  { day: 60, kind: 'look', words: 'Offer them to bring a friend', condition: 'always' },
  { day: 90, kind: 'look', words: 'Ask for a review', condition: 'always' },
]

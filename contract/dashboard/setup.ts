import { z } from 'zod'

/** The first steps of a new school, in this order. */
export const SETUP_STEPS = [
  'classes',
  'students',
  'belts',
  'roll',
  'texting',
  'invitation',
  'kiosk',
] as const
export type SetupStep = (typeof SETUP_STEPS)[number]

/** A finished step is `done`, even if the school skipped it before. */
export const setupProgress = z.array(
  z.object({
    step: z.enum(SETUP_STEPS),
    state: z.enum(['open', 'done', 'skipped']),
    /** True if the person who runs the server has to do something first. */
    needs_operator: z.boolean(),
  }),
)
export type SetupProgress = z.output<typeof setupProgress>

export const skippedSteps = z.object({
  skipped_steps: z
    .array(z.enum(SETUP_STEPS, 'Step is not valid'), 'Steps must be a list')
    .max(SETUP_STEPS.length, `At most ${SETUP_STEPS.length} steps`),
})
export type SkippedSteps = z.output<typeof skippedSteps>

import { z } from 'zod'
import { calendarDate, totalInDollars } from '../lib/fields.ts'

export const chargePreview = z.object({
  name: z.string(),
  due_on: z.string(),
  amount: z.number(),
  /** Such as "15 of 31 days". */
  reason: z.string().nullable(),
})
export type ChargePreview = z.output<typeof chargePreview>

/** What an act would do, in words and sums. Whoever makes it sees this before saving. */
export const actPreview = z.object({
  sentences: z.array(z.string()),
  charges: z.array(chargePreview),
  last_day: z.string().nullable(),
  last_sum: z.number().nullable(),
})
export type ActPreview = z.output<typeof actPreview>

const MAX_QUOTED_SUMS = 100
const quotedSum = z.object(
  { due_on: calendarDate('Day'), amount: totalInDollars('Amount') },
  'A sum must be an object',
)
/** The sums that the user saw before saving. 409 if they are no longer true. */
export const quotedSums = z
  .array(quotedSum, 'Sums must be a list')
  .max(MAX_QUOTED_SUMS, `At most ${MAX_QUOTED_SUMS} sums`)
  .optional()
export type QuotedSums = z.output<typeof quotedSums>

import { z } from 'zod'

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

import { z } from 'zod'

/** A plan that people who join can choose. */
export const publicPlan = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  /** Such as "$96 a month" */
  price: z.string(),
  age_from: z.number().nullable(),
  age_until: z.number().nullable(),
})
export type PublicPlan = z.output<typeof publicPlan>

import { z } from 'zod'

/** A plan that people who join can choose. */
export const publicPlan = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  /** Such as "$96 a month" */
  price: z.string(),
  /** Such as "At least 6 months" and "Sign-up fee $50" */
  facts: z.array(z.string()),
  /** What a member agrees to. */
  terms: z.string().nullable(),
  /** Such as "Ages 5–12". Null for everybody. */
  ages: z.string().nullable(),
  age_from: z.number().nullable(),
  age_until: z.number().nullable(),
})
export type PublicPlan = z.output<typeof publicPlan>

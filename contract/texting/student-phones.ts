import { z } from 'zod'

/** `undeliverable` is tried again by a text to this student alone. */
const PHONE_OBSTACLES = ['replied_stop', 'withdrawn', 'undeliverable'] as const

export const studentPhone = z.object({
  phone_number: z.string(),
  holder: z.enum(['student', 'guardian']),
  holder_name: z.string().nullable(),
  obstacle: z.enum(PHONE_OBSTACLES).nullable(),
})
export type StudentPhone = z.output<typeof studentPhone>

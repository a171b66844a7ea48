import { z } from 'zod'

/** Why no text arrives at a phone: it has replied STOP; an instructor has recorded that whoever has it no longer agrees; or the provider says
 *  that it cannot get texts, which is tried again when somebody texts just this student. */
const PHONE_OBSTACLES = ['replied_stop', 'withdrawn', 'undeliverable'] as const

/** A phone that a text about a student goes to. */
export const studentPhone = z.object({
  phone_number: z.string(),
  holder: z.enum(['student', 'guardian']),
  /** Who answers it, where that is not the student. */
  holder_name: z.string().nullable(),
  obstacle: z.enum(PHONE_OBSTACLES).nullable(),
})
export type StudentPhone = z.output<typeof studentPhone>

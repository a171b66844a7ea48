import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { calendarDate, uuid } from '../lib/fields.ts'

/** What the roll says beside a student: "3rd of 2 this week", "4 visits left". */
const classEntry = z.object({
  student_id: z.uuid(),
  words: z.string(),
  is_over_limit: z.boolean(),
  /** What is left of all packs for this class, or null if the student has none. */
  visits_left: z.number().nullable(),
})
export type ClassEntry = z.output<typeof classEntry>

export const classEntriesApi = {
  list: {
    method: 'GET',
    path: '/class-entries',
    access: 'instructor',
    right: 'roll',
    summary: 'Visits left and limits reached of the students who have plans, for the roll',
    query: z.object({ class_id: uuid('Class'), day: calendarDate('Day') }),
    reply: z.array(classEntry),
  },
} as const satisfies Api

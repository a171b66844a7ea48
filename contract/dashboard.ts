import { z } from 'zod'
import type { Api } from './endpoint.ts'

export const dashboardStats = z.object({
  total_students: z.number(), regular_students: z.number(), trial_students: z.number(), vacation_students: z.number(),
})
export type DashboardStats = z.output<typeof dashboardStats>

export const birthday = z.object({ student_name: z.string(), date_of_birth: z.string() })
export type Birthday = z.output<typeof birthday>

export const dashboardApi = {
  stats: { method: 'GET', path: '/dashboard/stats', access: 'instructor', summary: 'How many students, by kind', reply: dashboardStats },
  birthdays: { method: 'GET', path: '/student-birthdays', access: 'instructor', summary: "The students' birthdays", reply: z.array(birthday) },
} as const satisfies Api

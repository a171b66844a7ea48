import { z } from 'zod'
import type { Api } from './endpoint.ts'

export const dashboardStats = z.object({
  total_students: z.number(), regular_students: z.number(), trial_students: z.number(), vacation_students: z.number(),
})
export type DashboardStats = z.output<typeof dashboardStats>

export const birthday = z.object({ student_name: z.string(), date_of_birth: z.string() })
export type Birthday = z.output<typeof birthday>

const daysIn = (year: number, month: number) => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()

/** The weeks of a month, Sunday to Saturday; null where the week belongs to another month. `month` counts from 0. */
export function monthGrid(year: number, month: number): (number | null)[][] {
  const blanks = new Date(Date.UTC(year, month, 1)).getUTCDay()
  const days = daysIn(year, month)
  return Array.from({ length: Math.ceil((blanks + days) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, column) => {
      const day = week * 7 + column - blanks + 1
      return day >= 1 && day <= days ? day : null
    }))
}

/** The birthdays of a month by day; February 29 falls on the 28th in years without one (product.md, section 4). `month` counts from 0. */
export function birthdaysIn(year: number, month: number, birthdays: readonly Birthday[]): Map<number, Birthday[]> {
  const ofMonth = birthdays.filter(({ date_of_birth }) => Number(date_of_birth.slice(5, 7)) === month + 1)
  return Map.groupBy(ofMonth, ({ date_of_birth }) => Math.min(Number(date_of_birth.slice(8, 10)), daysIn(year, month)))
}

/** How old someone becomes on their birthday in `year`. */
export const ageIn = (year: number, { date_of_birth }: Birthday): number => year - Number(date_of_birth.slice(0, 4))

export const dashboardApi = {
  stats: { method: 'GET', path: '/dashboard/stats', access: 'instructor', summary: 'How many students, by kind', reply: dashboardStats },
  birthdays: { method: 'GET', path: '/student-birthdays', access: 'instructor', summary: "The students' birthdays", reply: z.array(birthday) },
} as const satisfies Api

import {
  ageOn,
  birthdayIn,
  dayOfMonth,
  daysInMonth,
  daysSinceSunday,
  firstDayOf,
  monthOfDate,
  yearOf,
} from '../lib/calendar-day.ts'
import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { BELTS, shownRank } from '../lib/ranks.ts'

export const dashboardStats = z.object({
  total_students: z.number(),
  regular_students: z.number(),
  trial_students: z.number(),
  vacation_students: z.number(),
  students_to_approve: z.number(),
})
export type DashboardStats = z.output<typeof dashboardStats>

const birthday = z.object({
  student_id: z.uuid(),
  student_name: z.string(),
  date_of_birth: z.string(),
})
export type Birthday = z.output<typeof birthday>

/** Weeks from Sunday to Saturday, null outside of the month. `month` counts from 0. */
export function monthGrid(year: number, month: number): (number | null)[][] {
  const blanks = daysSinceSunday(firstDayOf({ month, year }))
  const days = daysInMonth({ month, year })
  return Array.from({ length: Math.ceil((blanks + days) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, column) => {
      const day = week * 7 + column - blanks + 1
      return day >= 1 && day <= days ? day : null
    }),
  )
}

/** Birthdays of February 29 are on the 28th in other years. `month` counts from 0. */
export function birthdaysByDay<B extends Birthday>(
  year: number,
  month: number,
  birthdays: readonly B[],
): Map<number, B[]> {
  const ofMonth = birthdays.filter(
    ({ date_of_birth }) => monthOfDate(date_of_birth).month === month,
  )
  return Map.groupBy(ofMonth, ({ date_of_birth }) => dayOfMonth(birthdayIn(year, date_of_birth)))
}

export const ageInYear = (year: number, { date_of_birth }: Birthday): number =>
  year - yearOf(date_of_birth)

export const AGE_BANDS = ['Under 7', '7–12', '13–17', '18–34', '35 and over', 'Not known'] as const

const BAND_MAX_AGES = [6, 12, 17, 34, Infinity]

export function ageBandOf(born: string | null, today: string): (typeof AGE_BANDS)[number] {
  if (!born) return 'Not known'
  const age = ageOn(today, born)
  return AGE_BANDS[BAND_MAX_AGES.findIndex((oldest) => age <= oldest)]!
}

const studentCount = z.object({ label: z.string(), students: z.number() })
/** A rank of the main style, or one of the seven belts with a `rank` of null. Lowest first. */
const countedBelt = studentCount.extend({ belt_level: z.enum(BELTS), rank: shownRank.nullable() })
const firstDayOfMonth = z.iso.date()
export const analytics = z.object({
  belts: z.array(countedBelt),
  age_bands: z.array(studentCount),
  genders: z.array(studentCount),
  /** `stayed`: of those who were there `at_start`, until the end of the month or today. */
  movements: z.array(
    z.object({
      month: firstDayOfMonth,
      enrolled: z.number(),
      departed: z.number(),
      at_start: z.number(),
      stayed: z.number(),
    }),
  ),
  /** The same 12 months by belt. Everybody counts once, with their belt or their last one. */
  belt_movements: z.array(
    z.object({ label: z.string(), joined: z.number(), left: z.number(), stayed: z.number() }),
  ),
  next_belts: z.array(countedBelt.extend({ days: z.number().nullable() })),
  payments: z.array(
    z.object({ month: firstDayOfMonth, expected: z.number(), received: z.number() }),
  ),
  attendance: z.array(
    z.object({
      class_id: z.uuid(),
      class_name: z.string(),
      marks: z.number(),
      rate: z.number().nullable(),
    }),
  ),
})
export type Analytics = z.output<typeof analytics>

export const dashboardApi = {
  stats: {
    method: 'GET',
    path: '/dashboard/stats',
    access: 'instructor',
    summary: 'How many students, by kind',
    reply: dashboardStats,
  },
  birthdays: {
    method: 'GET',
    path: '/student-birthdays',
    access: 'instructor',
    summary: "The students' birthdays",
    reply: z.array(birthday),
  },
  analytics: {
    method: 'GET',
    path: '/dashboard/analytics',
    access: 'instructor',
    summary: 'Students, movements, payments and attendance in figures',
    reply: analytics,
  },
} as const satisfies Api

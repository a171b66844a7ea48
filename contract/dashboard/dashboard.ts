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
import { dueSteps } from '../followups/followups.ts'
import { hiddenWithout } from '../rights.ts'
import { BELTS, shownRank } from '../lib/ranks.ts'
import { setupProgress, skippedSteps } from './setup.ts'

/** The people who are interested in the school and wait for something today, oldest first. */
const dueLeads = z.object({ names: z.array(z.string()), total: z.number() })
export type DueLeads = z.output<typeof dueLeads>

export const dashboardStats = z.object({
  total_students: z.number(),
  regular_students: z.number(),
  trial_students: z.number(),
  vacation_students: z.number(),
  students_to_approve: z.number(),
  /** Online payments that a person should look at. */
  payments_to_review: hiddenWithout('money.see', z.number(), 0),
  due_followups: hiddenWithout('students.read', dueSteps, { steps: [], total: 0 }),
  due_leads: hiddenWithout('students.edit', dueLeads, { names: [], total: 0 }),
  /** Changes since the month began, such as 4 or -1. */
  changes: z.object({
    total: z.number(),
    regular: z.number(),
    trial: z.number(),
    vacation: z.number(),
  }),
  setup: setupProgress,
})
export type DashboardStats = z.output<typeof dashboardStats>

const birthday = z.object({
  student_id: z.uuid(),
  student_name: z.string(),
  date_of_birth: z.string(),
})
export type Birthday = z.output<typeof birthday>

/** Returns weeks from Sunday to Saturday. Days of other months are null. `month` is zero-based. */
export function buildMonthGrid(year: number, month: number): (number | null)[][] {
  const leadingBlanks = daysSinceSunday(firstDayOf({ month, year }))
  const dayCount = daysInMonth({ month, year })
  return Array.from({ length: Math.ceil((leadingBlanks + dayCount) / 7) }, (_week, weekIndex) =>
    Array.from({ length: 7 }, (_day, weekday) => {
      const day = weekIndex * 7 + weekday - leadingBlanks + 1
      return day >= 1 && day <= dayCount ? day : null
    }),
  )
}

/** In other years, a birthday on February 29 moves to the 28th. `month` is zero-based. */
export function groupBirthdaysByDay<Row extends Birthday>(
  year: number,
  month: number,
  birthdays: readonly Row[],
): Map<number, Row[]> {
  const birthdaysOfMonth = birthdays.filter(
    ({ date_of_birth }) => monthOfDate(date_of_birth).month === month,
  )
  return Map.groupBy(birthdaysOfMonth, ({ date_of_birth }) =>
    dayOfMonth(birthdayIn(year, date_of_birth)),
  )
}

export const ageInYear = (year: number, { date_of_birth }: Birthday): number =>
  year - yearOf(date_of_birth)

export const AGE_BANDS = ['Under 7', '7–12', '13–17', '18–34', '35 and over', 'Not known'] as const

export function findAgeBand(dateOfBirth: string | null, today: string): (typeof AGE_BANDS)[number] {
  if (!dateOfBirth) return 'Not known'
  const age = ageOn(today, dateOfBirth)
  if (age < 7) return 'Under 7'
  if (age < 13) return '7–12'
  if (age < 18) return '13–17'
  return age < 35 ? '18–34' : '35 and over'
}

const studentCount = z.object({ label: z.string(), students: z.number() })
/** A rank of the main style, or one of the seven belts if `rank` is null. */
const beltCount = studentCount.extend({ belt_level: z.enum(BELTS), rank: shownRank.nullable() })
const firstDayOfMonth = z.iso.date()
export const analytics = z.object({
  belts: z.array(beltCount),
  age_bands: z.array(studentCount),
  genders: z.array(studentCount),
  /** `stayed`: students from `at_start` who were still students at the end of the month, or
   *  today. */
  movements: z.array(
    z.object({
      month: firstDayOfMonth,
      enrolled: z.number(),
      departed: z.number(),
      at_start: z.number(),
      stayed: z.number(),
    }),
  ),
  /** The sum of `movements` by belt. Each student counts once, with their current or last belt. */
  belt_movements: z.array(
    z.object({ label: z.string(), joined: z.number(), left: z.number(), stayed: z.number() }),
  ),
  /** `days`: the average time from this belt to the next. */
  next_belts: z.array(beltCount.extend({ days: z.number().nullable() })),
  payments: hiddenWithout(
    'money.see',
    z.array(z.object({ month: firstDayOfMonth, expected: z.number(), received: z.number() })),
    [],
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
    right: 'any',
    summary: 'Count the students by status, and read the progress of the first steps',
    reply: dashboardStats,
  },
  skipSteps: {
    method: 'PUT',
    path: '/dashboard/setup',
    access: 'instructor',
    right: 'settings',
    summary: 'Set which first steps the school skips',
    body: skippedSteps,
    reply: z.object({ setup: setupProgress }),
  },
  birthdays: {
    method: 'GET',
    path: '/student-birthdays',
    access: 'instructor',
    right: 'students.read',
    summary: "The students' birthdays",
    reply: z.array(birthday),
  },
  analytics: {
    method: 'GET',
    path: '/dashboard/analytics',
    access: 'instructor',
    right: 'students.read',
    summary: 'Statistics about students, joining and leaving, payments and attendance',
    reply: analytics,
  },
} as const satisfies Api

import { ageOn } from '@tatami/contract/lib/calendar-day'
import { invalid } from '../lib/refusal.ts'
import type { planVersions } from './tables.ts'

type Ages = Pick<typeof planVersions.$inferSelect, 'age_from' | 'age_until'>

/** 422 if somebody is too young or too old for a plan. An unknown age is fine. */
export function requireAge(
  dateOfBirth: string | null,
  { age_from, age_until }: Ages,
  day: string,
  field = 'plan_id',
): void {
  if (dateOfBirth === null) return
  const age = ageOn(day, dateOfBirth)
  if (age_from !== null && age < age_from)
    throw invalid(field, `This plan is for students from ${age_from} years`)
  if (age_until !== null && age > age_until)
    throw invalid(field, `This plan is for students up to ${age_until} years`)
}

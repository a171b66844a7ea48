import { ADULT_AGE, ADULTHOOD_ANNOUNCED_DAYS, birthdayOf } from '@tatami/contract/guardians'
import { today } from '../lib/dates.ts'

const DAY_MS = 86_400_000

/** Whether a student is told of their guardians: from 30 days before the 18th birthday on. */
export function comesOfAge(dateOfBirth: string | null | undefined): boolean {
  const announced = new Date(Date.parse(`${today()}T00:00Z`) + ADULTHOOD_ANNOUNCED_DAYS * DAY_MS)
    .toISOString()
    .slice(0, 10)
  return Boolean(dateOfBirth) && birthdayOf(dateOfBirth!, ADULT_AGE) <= announced
}

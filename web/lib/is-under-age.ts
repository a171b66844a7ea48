import { ageOn } from '@tatami/contract/lib/calendar-day'
import { today } from './dates.ts'

export const isUnderAge = (
  { date_of_birth }: { date_of_birth: string | null },
  age: number,
): boolean => date_of_birth !== null && ageOn(today(), date_of_birth) < age

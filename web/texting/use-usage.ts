import { useQuery } from '@tanstack/react-query'
import { DAILY_LIMIT_DEFAULT, type DailyUsage, textingApi } from '@tatami/contract/texting'
import { endpointQuery } from '../lib/query.ts'

export const usageQuery = endpointQuery(textingApi.usage)

/** What stands while the day's usage is not known (specification, section 8). */
const UNKNOWN: DailyUsage = {
  date: '',
  message_count: 0,
  daily_limit: DAILY_LIMIT_DEFAULT,
  remaining_messages: DAILY_LIMIT_DEFAULT,
  limit_reached: false,
}

/** How many of the day's texts are used. A sending refreshes `textingApi.usage`. */
export const useUsage = (): DailyUsage => useQuery(usageQuery).data ?? UNKNOWN

import { useQuery } from '@tanstack/react-query'
import { DAILY_LIMIT_DEFAULT, type DailyUsage, textingApi } from '@tatami/contract/texting/texting'
import { useCan } from '../lib/current-user.ts'
import { endpointQuery } from '../lib/query.ts'

export const usageQuery = endpointQuery(textingApi.usage)

/** Shown until the usage is loaded (specification, section 8). */
const DEFAULT_USAGE: DailyUsage = {
  date: '',
  message_count: 0,
  daily_limit: DAILY_LIMIT_DEFAULT,
  remaining_messages: DAILY_LIMIT_DEFAULT,
  limit_reached: false,
}

/** Every mutation that sends texts refreshes `textingApi.usage`. */
export function useUsage(): DailyUsage {
  const can = useCan()
  const usage = useQuery({ ...usageQuery, enabled: can(textingApi.usage.right) })
  return usage.data ?? DEFAULT_USAGE
}

export type Tone = 'green' | 'orange' | 'red'

const FEW_REMAINING = 50
const HIGH_USAGE_SHARE = 0.8

/** Chooses the color of the remaining texts (specification, section 4). */
export function chooseTextTone({ limit_reached, remaining_messages }: DailyUsage): Tone {
  if (limit_reached) return 'red'
  return remaining_messages < FEW_REMAINING ? 'orange' : 'green'
}

/** Chooses the color of the bar (specification, section 4). */
export function chooseBarTone({ limit_reached, message_count, daily_limit }: DailyUsage): Tone {
  if (limit_reached) return 'red'
  return message_count > HIGH_USAGE_SHARE * daily_limit ? 'orange' : 'green'
}

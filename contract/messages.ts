import { z } from 'zod'
import type { Api } from './endpoint.ts'

export const DAILY_LIMIT_DEFAULT = 300
export const DAILY_LIMIT_MIN = 1
export const DAILY_LIMIT_MAX = 10_000
const LIMIT_WORDS = 'Daily limit must be between 1 and 10,000'

/** How many texts a dojo may send a day, the same for all (specification, section 9). */
export const dailyLimit = z.object({
  daily_limit: z.number({ error: LIMIT_WORDS }).int(LIMIT_WORDS).min(DAILY_LIMIT_MIN, LIMIT_WORDS).max(DAILY_LIMIT_MAX, LIMIT_WORDS),
})

export const messagesApi = {
  systemConfig: {
    method: 'GET', path: '/super-admin/system-config', access: 'super-admin', summary: 'What is set for all dojos',
    reply: z.object({ daily_message_limit: z.number() }),
  },
  setDailyLimit: {
    method: 'PUT', path: '/super-admin/daily-message-limit', access: 'super-admin', summary: 'Set how many texts each dojo may send a day; holds at once',
    body: dailyLimit, reply: z.object({ success: z.literal(true), daily_message_limit: z.number() }),
  },
} as const satisfies Api

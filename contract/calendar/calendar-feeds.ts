import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { success } from '../lib/fields.ts'

export const FEED_DAYS_BACK = 30
export const FEED_DAYS_AHEAD = 180

/** The address itself is shown once; only its hash is stored. */
const feed = z.object({ created_at: z.string().nullable() })
const newFeed = z.object({
  /** "https://…/calendar/….ics". Anybody who has it can read the calendar. */
  url: z.string(),
  created_at: z.string(),
})

export const calendarFeedsApi = {
  read: {
    method: 'GET',
    path: '/calendar-feed',
    access: 'member',
    summary: 'Since when the caller has a private calendar address; null for none',
    reply: feed,
  },
  renew: {
    method: 'POST',
    path: '/calendar-feed',
    access: 'member',
    summary: 'Make a private calendar address; an older one is dead at once',
    reply: newFeed,
  },
  remove: {
    method: 'DELETE',
    path: '/calendar-feed',
    access: 'member',
    summary: 'End the private calendar address',
    reply: success,
  },
} as const satisfies Api

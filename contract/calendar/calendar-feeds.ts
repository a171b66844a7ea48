import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { success } from '../lib/fields.ts'

export const FEED_DAYS_BACK = 30
export const FEED_DAYS_AHEAD = 180

/** The address is shown only when it is created, because the server stores only its hash. */
const feed = z.object({ created_at: z.string().nullable() })
const newFeed = z.object({
  /** "https://…/calendar/….ics". Anyone who has it can read the calendar. */
  url: z.string(),
  created_at: z.string(),
})

export const calendarFeedsApi = {
  read: {
    method: 'GET',
    path: '/calendar-feed',
    access: 'member',
    right: 'own',
    summary: "When the caller's private calendar address was created; null if there is none",
    reply: feed,
  },
  renew: {
    method: 'POST',
    path: '/calendar-feed',
    access: 'member',
    right: 'own',
    summary: 'Create a private calendar address; an older one stops working immediately',
    reply: newFeed,
  },
  remove: {
    method: 'DELETE',
    path: '/calendar-feed',
    access: 'member',
    right: 'own',
    summary: 'Delete the private calendar address',
    reply: success,
  },
} as const satisfies Api

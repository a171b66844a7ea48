import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { success } from '../lib/fields.ts'

/** Which days a calendar has, before today and after it. */
export const FEED_DAYS_BACK = 30
export const FEED_DAYS_AHEAD = 180

/** The address is stored as a hash: it is shown once, when it is made. */
const feed = z.object({ created_at: z.string().nullable() })
const newFeed = z.object({
  /** "https://…/calendar/….ics", which apps subscribe to, also as webcal:. Whoever has it reads the calendar. */
  url: z.string(),
  created_at: z.string(),
})

/** A student's own classes and gradings, those of a guardian's children, or all of an instructor's dojo, as a calendar that other apps read. */
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

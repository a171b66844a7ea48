import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { singleLineText, success } from '../lib/fields.ts'

export const US_STATES = [
  'Alabama',
  'Alaska',
  'Arizona',
  'Arkansas',
  'California',
  'Colorado',
  'Connecticut',
  'Delaware',
  'Florida',
  'Georgia',
  'Hawaii',
  'Idaho',
  'Illinois',
  'Indiana',
  'Iowa',
  'Kansas',
  'Kentucky',
  'Louisiana',
  'Maine',
  'Maryland',
  'Massachusetts',
  'Michigan',
  'Minnesota',
  'Mississippi',
  'Missouri',
  'Montana',
  'Nebraska',
  'Nevada',
  'New Hampshire',
  'New Jersey',
  'New Mexico',
  'New York',
  'North Carolina',
  'North Dakota',
  'Ohio',
  'Oklahoma',
  'Oregon',
  'Pennsylvania',
  'Rhode Island',
  'South Carolina',
  'South Dakota',
  'Tennessee',
  'Texas',
  'Utah',
  'Vermont',
  'Virginia',
  'Washington',
  'West Virginia',
  'Wisconsin',
  'Wyoming',
] as const

export const DEFAULT_TIME_ZONE = 'America/Chicago'

export const INVALID_TIME_ZONE = 'Time zone is not valid'

/** A name such as "America/Chicago". Offsets such as "+05:00" have no daylight saving time. */
export function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return /^[a-z]/i.test(name)
  } catch {
    return false
  }
}

export const timeZone = singleLineText('Time zone', 64).refine(isTimeZone, INVALID_TIME_ZONE)

const invitation = z.object({ invite_code: z.string(), link: z.string(), qr: z.string() })
export type Invitation = z.output<typeof invitation>

export const dojosApi = {
  invitation: {
    method: 'GET',
    path: '/invitation',
    access: 'instructor',
    right: 'students.edit',
    summary: 'The link and code with which students join the dojo',
    reply: invitation,
  },
  renewInvitation: {
    method: 'POST',
    path: '/invitation',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Replace the invitation. The old one stops working',
    reply: invitation,
  },
  recordSharing: {
    method: 'PUT',
    path: '/invitation/shared',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Record that an instructor has copied the link, which completes a first step',
    reply: success,
  },
} as const satisfies Api

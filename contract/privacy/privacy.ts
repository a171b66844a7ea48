import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'

/** Where the page stands that anybody can read. */
export const PRIVACY_PATH = '/privacy'

const privacyNotice = z.object({
  /** Kinds of data, each with how long this server keeps it. */
  kept: z.array(z.object({ what: z.string(), how_long: z.string() })),
  /** Everybody who gets data, and which. */
  recipients: z.array(z.object({ who: z.string(), what: z.string() })),
})
export type PrivacyNotice = z.output<typeof privacyNotice>

export const privacyApi = {
  show: {
    method: 'GET',
    path: '/privacy',
    access: 'public',
    summary: 'What this server keeps, for how long, and who gets it',
    reply: privacyNotice,
  },
} as const satisfies Api

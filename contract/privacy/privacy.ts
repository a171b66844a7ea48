import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'

export const PRIVACY_PATH = '/privacy'

const privacyNotice = z.object({
  kept: z.array(z.object({ what: z.string(), how_long: z.string() })),
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

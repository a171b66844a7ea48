import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { idParams } from '../lib/fields.ts'

/** The source of leads who come through the link of a student. */
export const REFERRAL_SOURCE = 'Friend or family'

const referralLink = z.object({
  link: z.string(),
  /** A QR code of the link, as a data URL. */
  qr: z.string(),
})
export type ReferralLink = z.output<typeof referralLink>

export const referralsApi = {
  createLink: {
    method: 'POST',
    path: '/students/:id/referral-link',
    access: 'instructor',
    right: 'students.edit',
    summary: 'The link with which a student invites friends to a trial. It never changes',
    params: idParams,
    reply: referralLink,
  },
} as const satisfies Api

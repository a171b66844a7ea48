import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { idParams } from '../lib/fields.ts'
import { shownRank } from '../lib/ranks.ts'

const certificateCheck = z.object({
  state: z.enum(['valid', 'revoked']),
  number: z.string(),
  rank: shownRank,
  given_on: z.string(),
})
export type CertificateCheck = z.output<typeof certificateCheck>

export const certificatesApi = {
  file: {
    method: 'POST',
    path: '/promotions/:id/certificate',
    access: 'instructor',
    right: 'belts.promote',
    summary: 'The certificate of a promotion as a PDF. The first download assigns a number',
    params: idParams,
    file: 'application/pdf',
    reply: z.string(),
  },
  ofBatch: {
    method: 'POST',
    path: '/promotions/acts/:id/certificates',
    access: 'instructor',
    right: 'belts.promote',
    summary: 'The certificates of a batch of promotions, one page per student',
    params: idParams,
    file: 'application/pdf',
    reply: z.string(),
  },
  ofGrading: {
    method: 'POST',
    path: '/gradings/:id/certificates',
    access: 'instructor',
    right: 'belts.promote',
    summary: 'The certificates of all students who passed a grading, one page per student',
    params: idParams,
    file: 'application/pdf',
    reply: z.string(),
  },
  check: {
    method: 'GET',
    path: '/certificates/:code',
    access: 'public',
    summary: 'Whether a certificate is valid or revoked, with its number, rank and date',
    params: z.object({ code: z.string().regex(/^[\w-]{22}$/, 'The code is not valid') }),
    reply: certificateCheck,
  },
} as const satisfies Api

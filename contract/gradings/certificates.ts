import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { idParams } from '../lib/fields.ts'
import { shownRank } from '../lib/ranks.ts'

/** Everything that a stranger with the address of a certificate learns. */
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
    summary: 'The certificate of a promotion as PDF; it is numbered when it is first asked for',
    params: idParams,
    file: 'application/pdf',
    reply: z.string(),
  },
  ofAct: {
    method: 'POST',
    path: '/promotions/acts/:id/certificates',
    access: 'instructor',
    summary: 'The certificates of all who were promoted by one press, a page each',
    params: idParams,
    file: 'application/pdf',
    reply: z.string(),
  },
  ofGrading: {
    method: 'POST',
    path: '/gradings/:id/certificates',
    access: 'instructor',
    summary: 'The certificates of all who passed a grading, a page each',
    params: idParams,
    file: 'application/pdf',
    reply: z.string(),
  },
  check: {
    method: 'GET',
    path: '/certificates/:code',
    access: 'public',
    summary: 'Whether a certificate is valid or revoked, with its rank and date and nothing else',
    params: z.object({ code: z.string().regex(/^[\w-]{22}$/, 'The code is not valid') }),
    reply: certificateCheck,
  },
} as const satisfies Api

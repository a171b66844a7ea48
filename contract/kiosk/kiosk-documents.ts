import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { pass } from './kiosk.ts'

export const kioskDocumentsApi = {
  papers: {
    method: 'POST',
    path: '/kiosk/papers',
    access: 'kiosk',
    summary: 'What somebody at the kiosk has to sign, with a link for the parent’s phone',
    body: z.object({ pass }),
    reply: z.object({
      names: z.array(z.string()),
      /** Null if there is nothing to sign. */
      link: z.string().nullable(),
    }),
  },
} as const satisfies Api

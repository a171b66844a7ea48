import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { multiLineText } from '../lib/fields.ts'

export const SCHOOL_MESSAGE_MAX = 1000

export const schoolMessage = z.object({ text: multiLineText('Message', SCHOOL_MESSAGE_MAX) })

export const schoolMessagesApi = {
  write: {
    method: 'POST',
    path: '/family/messages',
    access: 'member',
    right: 'own',
    summary:
      'Write to the school as a guardian. The message joins the texts from the guardian’s phone, ' +
      'and the school answers by text. 409 without a phone or an approved child',
    idempotent: true,
    body: schoolMessage,
    reply: z.object({ reply_phone: z.string() }),
  },
} as const satisfies Api

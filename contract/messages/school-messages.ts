import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { multiLineText } from '../lib/fields.ts'

export const SCHOOL_MESSAGE_MAX = 1000

export const newSchoolMessage = z.object({ text: multiLineText('Message', SCHOOL_MESSAGE_MAX) })

/** A message that the caller wrote in the app, or the school's answer, which is also a text. */
const schoolMessage = z.object({
  id: z.uuid(),
  is_answer: z.boolean(),
  text: z.string(),
  sent_at: z.string(),
})
export type SchoolMessage = z.output<typeof schoolMessage>

export const schoolMessagesApi = {
  list: {
    method: 'GET',
    path: '/family/messages',
    access: 'member',
    right: 'own',
    summary:
      'The last messages that the guardian wrote to the school in the app, with the answers, ' +
      'newest first. Leaves out the answers if somebody else uses the same phone',
    reply: z.object({
      messages: z.array(schoolMessage),
      /** False if the answers are only texted, because somebody else uses the same phone. */
      shows_answers: z.boolean(),
    }),
  },
  write: {
    method: 'POST',
    path: '/family/messages',
    access: 'member',
    right: 'own',
    summary:
      'Write to the school as a guardian. The message joins the texts from the guardian’s phone, ' +
      'and the school answers by text. 409 without a phone or an approved child',
    idempotent: true,
    body: newSchoolMessage,
    reply: z.object({ reply_phone: z.string() }),
  },
} as const satisfies Api

import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { idParams } from '../lib/fields.ts'
import { consent, HOLDERS } from './phones.ts'

const nullableText = z.string().nullable()

const studentConsent = consent.extend({
  /** The instructor who recorded the consent. Null if the phone's owner agreed themselves. */
  recorded_by: nullableText,
  signed_form: z.object({ sensei_name: z.string(), date: z.iso.date() }).nullable(),
})
export type StudentConsent = z.output<typeof studentConsent>

const phoneWithConsents = z.object({
  phone_number: z.string(),
  holder: z.enum(HOLDERS),
  holder_name: nullableText,
  opted_out_at: nullableText,
  /** Newest first. `decisiveConsent` picks the one that applies. */
  consents: z.array(studentConsent),
})
export type PhoneWithConsents = z.output<typeof phoneWithConsents>

export const studentConsentsApi = {
  list: {
    method: 'GET',
    path: '/students/:id/consents',
    access: 'instructor',
    right: 'students.contact',
    summary:
      'Who agreed to texts, or no longer agrees, on each phone of a student, with the date and ' +
      'the wording',
    params: idParams,
    reply: z.array(phoneWithConsents),
  },
} as const satisfies Api

import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { idParams } from '../lib/fields.ts'
import { consent, HOLDERS } from './phones.ts'

const nullableText = z.string().nullable()

const consentOfStudent = consent.extend({
  /** The instructor who recorded the consent. Null if the phone's owner agreed themselves. */
  recorded_by: nullableText,
  signed_form: z.object({ sensei_name: z.string(), date: z.iso.date() }).nullable(),
})
export type ConsentOfStudent = z.output<typeof consentOfStudent>

const phoneOfStudent = z.object({
  phone_number: z.string(),
  holder: z.enum(HOLDERS),
  holder_name: nullableText,
  opted_out_at: nullableText,
  /** Newest first. `decisiveConsent` picks the one that applies. */
  consents: z.array(consentOfStudent),
})
export type PhoneOfStudent = z.output<typeof phoneOfStudent>

export const studentConsentsApi = {
  list: {
    method: 'GET',
    path: '/students/:id/consents',
    access: 'instructor',
    right: 'students.contact',
    summary:
      'The consents to texts and the withdrawals at each phone of a student: who, when, and ' +
      'which wording',
    params: idParams,
    reply: z.array(phoneOfStudent),
  },
} as const satisfies Api

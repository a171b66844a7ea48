import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import {
  calendarDate,
  successWithMessage,
  email,
  unrestrictedName,
  clearable,
  phone,
} from '../lib/fields.ts'

/** The order of the fields is the order of their errors (specification, section 5). */
export const consentForm = z.object({
  sensei_name: unrestrictedName('Sensei name'),
  phone_number: phone('Phone number'),
  signature: unrestrictedName('Digital signature'),
  email: clearable(email()),
  date: calendarDate('Date'),
})
export type ConsentForm = z.output<typeof consentForm>

export const consentApi = {
  submit: {
    method: 'POST',
    path: '/consent-form',
    access: 'public',
    summary: 'Agree to receive text messages',
    idempotent: true,
    throttle: 'consent',
    body: consentForm,
    reply: successWithMessage,
  },
} as const satisfies Api

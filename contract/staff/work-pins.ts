import { z } from 'zod'
import { pinForm } from '../kiosk/kiosks.ts'
import type { Api } from '../lib/endpoint.ts'
import { oneOf, success } from '../lib/fields.ts'

const worker = z.object({
  first_name: z.string(),
  /** Such as 18:30. Null if the person has no open shift. */
  started: z.string().nullable(),
})
export type Worker = z.output<typeof worker>

/** `check`: the shift overlaps other hours, so the person must fix it under Hours. */
const SHIFT_OUTCOMES = ['started', 'ended', 'check'] as const

const shiftReply = z.object({
  outcome: z.enum(SHIFT_OUTCOMES),
  first_name: z.string(),
  /** The length of the shift, after it ended. */
  minutes: z.number().nullable(),
})
export type ShiftReply = z.output<typeof shiftReply>

/** Staff start and end their work at a kiosk with their own PIN. It has no other use. */
export const workPinsApi = {
  set: {
    method: 'PUT',
    path: '/my/work-pin',
    access: 'instructor',
    right: 'own',
    summary: 'Give the caller a random work PIN for the kiosk, which is shown only once',
    throttle: 'sign-in',
    reply: z.object({ pin: z.string() }),
  },
  remove: {
    method: 'DELETE',
    path: '/my/work-pin',
    access: 'instructor',
    right: 'own',
    summary: 'Remove the caller’s work PIN',
    reply: success,
  },
  lookUp: {
    method: 'POST',
    path: '/kiosk/work',
    access: 'kiosk',
    summary: 'The person with this work PIN, and whether they have started work',
    body: pinForm,
    reply: worker,
  },
  record: {
    method: 'PUT',
    path: '/kiosk/work',
    access: 'kiosk',
    summary: 'Start or end work. 409 if the person has already started, or has not started',
    body: pinForm.extend({ action: oneOf('Action', ['start', 'end']) }),
    reply: shiftReply,
  },
} as const satisfies Api
